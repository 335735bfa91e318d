import { correct } from '../service/behaviour.ts';
import { writeLines, quoteCell, writeRow, usualNotation } from '../service/csv.ts';
import { type Difference, onReply } from '../fault.ts';

const careful = (cell: string): string => (/[",\r\n]/.test(cell) ? quoteCell(cell) : cell);

const media = (name: string, type: string | undefined): Difference => ({
  name: `export-${name}`,
  does: `answers an export ${type === undefined ? 'without a media type' : `as ${type}`}`,
  change: () => onReply('exported', () => ({ headers: type === undefined ? {} : { 'content-type': type } })),
});

/** What the documents leave open about the export as a text and an answer. */
export const csv: readonly Difference[] = [
  { name: 'line-feeds', does: 'ends lines by LF', change: () => ({ csv: (rows) => writeLines(rows, careful, '\n') }) },
  {
    name: 'all-quoted',
    does: 'quotes every cell',
    change: () => ({ csv: (rows) => writeLines(rows, quoteCell, '\r\n') }),
  },
  {
    name: 'no-last-line-end',
    does: 'does not end the last line',
    change: () => ({ csv: (rows) => correct.csv(rows).slice(0, -2) }),
  },
  {
    name: 'byte-order-mark',
    does: 'begins with a byte order mark',
    change: () => ({ csv: (rows) => `\u{FEFF}${correct.csv(rows)}` }),
  },
  {
    name: 'byte-order-mark-all-quoted',
    does: 'begins with a byte order mark and quotes every cell',
    change: () => ({ csv: (rows) => `\u{FEFF}${writeLines(rows, quoteCell, '\n')}` }),
  },
  {
    name: 'blank-last-line',
    does: 'ends with a blank line',
    change: () => ({ csv: (rows) => `${correct.csv(rows)}\r\n` }),
  },
  {
    name: 'quotes-within-cells',
    does: 'quotes only cells with commas or line ends, though quotes stand in others',
    change: () => ({
      csv: (rows) => writeLines(rows, (cell) => (/[,\r\n]|^"/.test(cell) ? quoteCell(cell) : cell), '\r\n'),
      row: (branch) =>
        writeRow(branch, {
          ...usualNotation,
          collaborators: (emails) => `[${emails.map((email) => `"${email}"`).join(' ')}]`,
        }),
    }),
  },
  {
    name: 'carriage-returns',
    does: 'ends lines by CR',
    change: () => ({ csv: (rows) => writeLines(rows, careful, '\r') }),
  },
  media('as-text', 'text/plain'),
  media('as-bytes', 'application/octet-stream'),
  media('with-header-present', 'text/csv; header=present; charset=UTF-8'),
  media('as-spreadsheet', 'application/vnd.ms-excel'),
  media('without-type', undefined),
  {
    name: 'export-attached',
    does: 'answers an export as a file to be kept',
    change: () =>
      onReply('exported', () => ({
        headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="branches.csv"' },
      })),
  },
  {
    name: 'export-203',
    does: 'answers an export with 203',
    change: () => onReply('exported', () => ({ status: 203 })),
  },
  {
    name: 'export-201',
    does: 'answers an export with 201',
    change: () => onReply('exported', () => ({ status: 201 })),
  },
];
