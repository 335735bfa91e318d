import { type styleText, stripVTControlCharacters } from 'node:util';

/** Colours a text, if the stream that it goes to has colours, and makes it printable. */
export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

const COLUMNS = 100;
/** Two lines of a terminal. */
const MAX_LINE = 2 * COLUMNS;

/** Each text as one line that is not too long. */
export function indent(texts: readonly string[], by = 2): string[] {
  return texts.map((text) => `${' '.repeat(by)}${truncate(printable(text.replaceAll('\n', ' ')))}`);
}

/** The first lines, and one that says how many are left out. */
export function limit(lines: readonly string[], most: number): string[] {
  const left = lines.length - most;
  return left < 2 ? [...lines] : [...lines.slice(0, most), `  … and ${left} more: --verbose`];
}

/** The first names, and how many are left out. */
export function listSome(names: readonly string[], most: number): string {
  const left = names.length - most;
  return left < 2 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${left} more`;
}

export function truncate(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}

/** What a server sends must not move the cursor, nor turn the direction of the text. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}

/** How many lines of a terminal that is a hundred columns wide the texts take. */
export function countScreenLines(texts: readonly string[]): number {
  return texts
    .flatMap((text) => stripVTControlCharacters(text).split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}
