import { correct } from '../service/behaviour.ts';
import { columns, writeLines, quoteCell, toCsv } from '../service/csv.ts';
import { type Fault, onReply } from '../fault.ts';

type Rows = readonly (readonly string[])[];

/** Writes other rows, header included, as CSV. */
const rows = (name: string, does: string, clause: string, change: (rows: Rows) => Rows): Fault => ({
  name: `export-${name}`,
  does,
  breaks: [clause],
  change: () => ({ csv: (all) => toCsv(change(all)) }),
});

const text = (name: string, does: string, clause: string, csv: (rows: Rows) => string): Fault => ({
  name: `export-${name}`,
  does,
  breaks: [clause],
  change: () => ({ csv }),
});

/** Names the columns otherwise, and nothing else. */
const header = (name: string, does: string, change: (names: readonly string[]) => readonly string[]): Fault => ({
  name: `export-${name}`,
  does,
  breaks: ['EXPORT-COLUMNS-1'],
  change: () => ({ columns: change(columns) }),
});

const answers = (name: string, does: string, status: number, type: string, body: string): Fault => ({
  name: `export-${name}`,
  does,
  breaks: ['EXPORT-SUCCESS-1'],
  change: () => onReply('exported', () => ({ status, headers: { 'content-type': type }, body })),
});

function renamed(from: string, to: string): (names: readonly string[]) => readonly string[] {
  return (names) => names.map((name) => (name === from ? to : name));
}

/** Of how the export is written. */
export const exportFormat: readonly Fault[] = [
  rows('without-header', 'exports no header line', 'EXPORT-COLUMNS-1', (all) => all.slice(1)),
  rows('columns-swapped', 'exports creatorId and creatorEmail the other way round', 'EXPORT-COLUMNS-1', (all) =>
    all.map(([name = '', id = '', creator = '', email = '', ...rest]) => [name, id, email, creator, ...rest]),
  ),
  rows('columns-sorted', 'exports the columns in alphabetical order', 'EXPORT-COLUMNS-1', (all) => {
    const order = columns.map((name, index) => ({ name, index })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return all.map((cells) => order.map(({ index }) => cells[index] ?? ''));
  }),
  rows('last-column-missing', 'leaves the last column out', 'EXPORT-COLUMNS-1', (all) =>
    all.map((cells) => cells.slice(0, -1)),
  ),
  rows('inner-column-missing', 'leaves collaborators out', 'EXPORT-COLUMNS-1', (all) =>
    all.map((cells) => cells.filter((_, index) => columns[index] !== 'collaborators')),
  ),
  rows('extra-column-first', 'exports a row number first', 'EXPORT-COLUMNS-1', (all) =>
    all.map((cells, index) => [index === 0 ? 'row' : String(index), ...cells]),
  ),
  rows('extra-column-inside', 'exports a description among the columns', 'EXPORT-COLUMNS-1', (all) =>
    all.map((cells, index) => cells.toSpliced(6, 0, index === 0 ? 'description' : '')),
  ),
  rows('short-rows', 'leaves empty cells at the end of a row out', 'EXPORT-COLUMNS-1', (all) =>
    all.map((cells) => cells.slice(0, 1 + cells.findLastIndex((cell) => cell !== ''))),
  ),
  rows('total-row', 'ends with a row of totals', 'EXPORT-COLUMN-branchStatus', (all) => [
    ...all,
    ['Total', String(all.length - 1), ...Array<string>(10).fill('')],
  ]),
  rows('cells-trimmed-row', 'ends each row with a comma', 'EXPORT-COLUMNS-1', (all) =>
    all.map((cells) => [...cells, '']),
  ),
  rows('header-at-the-end', 'writes the header last', 'EXPORT-COLUMNS-1', ([head = [], ...rest]) => [...rest, head]),
  rows('header-repeated', 'writes the header again after each row', 'EXPORT-ROWS-1', ([head = [], ...rest]) => [
    head,
    ...rest.flatMap((cells) => [cells, head]),
  ]),
  header('header-upper-case', 'names the columns in upper case', (names) => names.map((name) => name.toUpperCase())),
  header('header-snake-case', 'names the columns in snake case', (names) =>
    names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  ),
  header('header-with-spaces', 'names the columns in words', (names) =>
    names.map((name) => name.replaceAll(/[A-Z]/g, ' $&')),
  ),
  header(
    'reviewer-misspelt',
    'names a column markedReadyForReviewUserEmail',
    renamed('markedReadyForReviewerUserEmail', 'markedReadyForReviewUserEmail'),
  ),
  header('status-renamed', 'names a column status', renamed('branchStatus', 'status')),
  header('header-shuffled', 'names two columns the other way round', (names) => {
    const [first = '', second = '', ...rest] = names;
    return [second, first, ...rest];
  }),
  text('unquoted', 'quotes no cell', 'EXPORT-SUCCESS-1', (all) => writeLines(all, (cell) => cell, '\r\n')),
  text('quotes-not-doubled', 'does not double the quotes in a quoted cell', 'EXPORT-SUCCESS-1', (all) =>
    writeLines(all, (cell) => `"${cell}"`, '\r\n'),
  ),
  text('quotes-backslashed', 'escapes quotes by a backslash', 'EXPORT-SUCCESS-1', (all) =>
    writeLines(all, (cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', String.raw`\"`)}"` : cell), '\r\n'),
  ),
  text('single-quoted', 'quotes cells with single quotes', 'EXPORT-SUCCESS-1', (all) =>
    writeLines(all, (cell) => (cell.includes(',') ? `'${cell}'` : cell), '\r\n'),
  ),
  text('semicolons', 'separates cells by semicolons', 'EXPORT-SUCCESS-1', (all) =>
    writeLines(all, (cell) => (/[";]/.test(cell) ? quoteCell(cell) : cell), '\r\n', ';'),
  ),
  text('tabs', 'separates cells by tabs', 'EXPORT-SUCCESS-1', (all) => writeLines(all, (cell) => cell, '\r\n', '\t')),
  text('spaces-after-commas', 'writes a space after each comma', 'EXPORT-COLUMNS-1', (all) =>
    writeLines(all, (cell) => (cell.includes(',') ? quoteCell(cell) : cell), '\r\n', ', '),
  ),
  text('one-line', 'writes all rows in one line', 'EXPORT-SUCCESS-1', (all) =>
    all.map((cells) => cells.map(quoteCell).join(',')).join(','),
  ),
  text('lines-escaped', String.raw`writes \n for line ends`, 'EXPORT-SUCCESS-1', (all) =>
    writeLines(all, quoteCell, String.raw`\n`),
  ),
  text('cut', 'ends in the middle of the last row, as if that were all', 'EXPORT-SUCCESS-1', (all) =>
    correct.csv(all).slice(0, -40),
  ),
  text('utf-16', 'writes UTF-16 and calls it UTF-8', 'EXPORT-SUCCESS-1', (all) => [...correct.csv(all)].join('\0')),
  text('json-string', 'writes the CSV as a JSON string', 'EXPORT-SUCCESS-1', (all) => JSON.stringify(correct.csv(all))),
  text('json-rows', 'writes the rows as JSON', 'EXPORT-SUCCESS-1', (all) => JSON.stringify(all)),
  text(
    'title-line',
    'writes a title before the header',
    'EXPORT-COLUMNS-1',
    (all) => `Branches of the workspace\r\n${correct.csv(all)}`,
  ),
  answers('html', 'answers an export with a page', 200, 'text/html', '<!doctype html><title>Sign in</title><p>Sign in'),
  answers('nothing', 'answers an export with nothing', 200, 'text/csv', ''),
  answers('204', 'answers an export with 204', 204, 'text/csv', ''),
  answers('500', 'answers an export with 500', 500, 'text/html', '<h1>Internal Server Error</h1>'),
  answers('404', 'answers an export with 404', 404, 'application/json', '{"error":"Not found"}'),
  answers('accepted', 'answers an export with 202 and a ticket', 202, 'application/json', '{"exportId":"7"}'),
];
