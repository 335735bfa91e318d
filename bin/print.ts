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
  for (const row of rows) table.push(Object.values(row).map(escapeForTerminal));
  printLine(table.toString());
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\p{Bidi_Control}]/gu, escapedAsJson));
}

/** Control characters would command the terminal, and bidirectional ones change the order of what is read. */
function escapeForTerminal(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, escapedAsJson);
}

function escapedAsJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** How long a command works without a word. */
const SILENT_MS = 2_000;

/**
 * Tells on stderr, every two seconds, how much is deleted so far.
 *
 * @param what is counted, in the plural
 */
export function printProgress(what: string): (deleted: number) => void {
  let saidAt = performance.now();
  return (deleted) => {
    if (performance.now() - saidAt < SILENT_MS) return;
    saidAt = performance.now();
    process.stderr.write(`Deleted ${deleted.toLocaleString('en')} ${what} so far …\n`);
  };
}
