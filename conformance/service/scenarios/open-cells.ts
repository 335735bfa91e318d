import { findHeader } from '../../engine/http/client.ts';
import type { ServiceCase } from '../case.ts';
import { COLUMNS, type Column, type ExportTable } from '../export-table.ts';
import { type Evidence, gatherEvidence } from '../evidence.ts';
import type { ServiceContext } from '../context.ts';
import { isSaid } from './export.ts';

/** Looks at the shared export for something that the documents leave open. */
const seen = (
  id: string,
  clause: string,
  title: string,
  look: (evidence: Evidence, context: ServiceContext) => string,
): ServiceCase => ({
  id: `open/${id}`,
  clauses: [clause],
  level: 'observed',
  title,
  cost: {},
  when: 'last',
  run: async (context) => look(await gatherEvidence(context), context),
});

const example = (table: ExportTable, column: Column, context: ServiceContext): string => {
  const cell = table
    .rows()
    .map((row) => row[column])
    .find(isSaid);
  return cell === undefined
    ? context.notObserved(`No row says anything in ${column}.`)
    : `For example ${JSON.stringify(cell)}.`;
};

/** What the documents leave open about the export: shown, never judged. */
export const openCells: readonly ServiceCase[] = [
  seen('timestamps', 'EXPORT-OPEN-1', 'How timestamps are written.', ({ table }, context) =>
    example(table, 'creationDate', context),
  ),
  seen('collaborators', 'EXPORT-OPEN-2', 'How the collaborators are written in their cell.', ({ table }, context) =>
    example(table, 'collaborators', context),
  ),
  seen('helpers', 'EXPORT-COLUMN-collaborators', 'Whether a branch has collaborators.', ({ table }, context) =>
    example(table, 'collaborators', context),
  ),
  seen('publication', 'EXPORT-COLUMN-lastPublishedDate', 'Whether a branch was published.', ({ table }, context) =>
    example(table, 'lastPublishedDate', context),
  ),
  seen(
    'never-happened',
    'EXPORT-OPEN-3',
    'What stands in the cells of steps that a new branch has not reached.',
    (evidence, context) => {
      const row = evidence.findRow(evidence.fresh.branchId);
      if (row === undefined) return context.notObserved('The export has no row for the new branch.');
      return `${COLUMNS.slice(6)
        .map((column) => `${column} ${JSON.stringify(row[column])}`)
        .join(', ')}.`;
    },
  ),
  seen('first-status', 'STATUS-OPEN-2', 'The status of a new branch.', (evidence, context) => {
    const row = evidence.findRow(evidence.fresh.branchId);
    return row === undefined
      ? context.notObserved('The export has no row for the new branch.')
      : `${row.branchStatus}.`;
  }),
  seen('transitions', 'STATUS-OPEN-1', 'Which statuses a branch could be put into.', ({ seeded }, context) =>
    seeded.size === 0
      ? context.notObserved('Nothing was given that changes a status (--seed-command).')
      : `A new branch could become ${[...seeded.keys()].join(', ')}.`,
  ),
  seen(
    'media-type',
    'EXPORT-OPEN-5',
    'The media type of the export.',
    ({ table }) => `${findHeader(table.answer, 'content-type') ?? 'None'}.`,
  ),
  seen(
    'success-status',
    'EXPORT-OPEN-6',
    'The status of a successful export.',
    ({ table }) => `${table.answer.status}.`,
  ),
  seen(
    'size',
    'EXPORT-OPEN-7',
    'The size of the export.',
    ({ table }) => `${table.length} rows, ${table.answer.body.length} bytes.`,
  ),
  seen('csv-form', 'EXPORT-OPEN-8', 'The form of the CSV.', ({ table: { text } }) => {
    const lineEnd = text.includes('\r\n') ? 'CRLF' : 'LF';
    const quoting = text.replace(/^\uFEFF/, '').startsWith('"') ? 'every cell quoted' : 'cells quoted where needed';
    return `Line ends ${lineEnd}, ${quoting}, ${text.startsWith('\uFEFF') ? 'with' : 'without'} a byte order mark.`;
  }),
];
