import { escapeForTerminal } from '@branchline/command-line';

/** The `--json` switch of commands whose result scripts may want. */
export interface OutputOptions {
  json?: boolean;
}

/** The rows of a table: what one takes to lay out grows with their square. */
const TABLE_ROWS = 250;

/** Prints rows as a table for people, many as several, or as a JSON array for scripts. */
export async function printRows(rows: readonly Record<string, string>[], { json }: OutputOptions): Promise<void> {
  if (json === true) return printJson(rows);
  const [first] = rows;
  if (first === undefined) return printLine('None.');
  const { default: Table } = await import('cli-table3');
  for (let from = 0; from < rows.length; from += TABLE_ROWS) {
    const table = new Table({ head: Object.keys(first), style: { head: [], border: [] } });
    for (const row of rows.slice(from, from + TABLE_ROWS)) table.push(Object.values(row).map(escapeCell));
    printLine(table.toString());
  }
}

/** A line end in what a row holds would look like another row. */
function escapeCell(text: string): string {
  return escapeForTerminal(text).replaceAll('\n', String.raw`\u000a`);
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/** Prints a text of one line or several; what would command the terminal is escaped, as JSON has it too. */
export function printLine(text: string): void {
  process.stdout.write(`${escapeForTerminal(text)}\n`);
}

/** How long a command works without a word. */
const SILENT_MS = 2_000;

/**
 * Tells on stderr, every two seconds from the first on, how much is deleted so far.
 *
 * @param what is counted, in the plural
 */
export function printProgress(what: string): (deleted: number) => void {
  let saidAt: number | undefined;
  return (deleted) => {
    saidAt ??= performance.now();
    if (performance.now() - saidAt < SILENT_MS) return;
    saidAt = performance.now();
    process.stderr.write(`Deleted ${deleted.toLocaleString('en')} ${what} so far …\n`);
  };
}
