/** The text is no CSV; the message says where. */
export class NoCsv extends Error {}

/** No documented row is so long; reading stops there. */
const MAX_CELLS = 1_000;

/**
 * Reads CSV as RFC 4180 describes it, with the freedom that readers allow: any line end, any cell quoted, the last line
 * end left out, blank lines skipped, a byte order mark ignored, quotes within a cell that does not begin with one. Two
 * quotes in a quoted cell are one.
 *
 * @throws NoCsv at the first record that can't be read.
 */
export function* readCsvRecords(text: string): Generator<string[]> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let record: string[] = [];
  let at = 0;
  while (at < source.length) {
    const cell = source[at] === '"' ? readQuotedCell(source, at) : readPlainCell(source, at);
    const end = cell === undefined ? undefined : readEnd(source, cell.end);
    if (cell === undefined || end === undefined) {
      throw new NoCsv(`The CSV breaks RFC 4180 at ${describePlace(source, at)}: a quote stands where none may be.`);
    }
    record.push(cell.value);
    const blank = record.length === 1 && cell.end === at;
    at = cell.end + end.length;
    if (record.length > MAX_CELLS)
      throw new NoCsv(`A row has more than ${MAX_CELLS} cells, up to ${describePlace(source, at)}.`);
    if (end === ',' && at < source.length) continue;
    if (end === ',') record.push('');
    if (!blank || end === ',') yield record;
    record = [];
  }
}

interface Cell {
  readonly value: string;
  /** Where what ends the cell stands. */
  readonly end: number;
}

function readQuotedCell(source: string, at: number): Cell | undefined {
  let quote = source.indexOf('"', at + 1);
  while (quote >= 0 && source[quote + 1] === '"') quote = source.indexOf('"', quote + 2);
  if (quote < 0) return undefined;
  return { value: source.slice(at + 1, quote).replaceAll('""', '"'), end: quote + 1 };
}

function readPlainCell(source: string, at: number): Cell {
  const plain = /[^,\r\n]*/y;
  plain.lastIndex = at;
  const [value = ''] = plain.exec(source) ?? [];
  return { value, end: at + value.length };
}

/** The comma or line end that ends a cell, empty at the end of the text; `undefined` for anything else. */
function readEnd(source: string, at: number): string | undefined {
  const end = /,|\r\n|\n|\r|$/y;
  end.lastIndex = at;
  return end.exec(source)?.[0];
}

function describePlace(source: string, at: number): string {
  const lineEnd = source.includes('\n') ? '\n' : '\r';
  let line = 1;
  let begin = 0;
  for (let next = source.indexOf(lineEnd); next >= 0 && next < at; next = source.indexOf(lineEnd, begin)) {
    line += 1;
    begin = next + 1;
  }
  return `line ${line}, character ${at - begin + 1}`;
}
