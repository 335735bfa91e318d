import Table from 'cli-table3';

/** The `--json` switch of commands whose result scripts may want. */
export interface OutputOptions {
  json?: boolean;
}

/** Prints rows as a table for people, or as a JSON array for scripts. */
export function printRows(rows: readonly Record<string, string>[], { json }: OutputOptions): void {
  if (json === true) return printJson(rows);
  const [first] = rows;
  if (first === undefined) return printLine('None.');
  const table = new Table({ head: Object.keys(first), style: { head: [], border: [] } });
  for (const row of rows) table.push(Object.values(row));
  printLine(table.toString());
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
