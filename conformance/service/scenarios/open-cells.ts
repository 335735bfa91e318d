import type { SuiteCase } from '../../engine/case.ts';
import { header } from '../documented.ts';
import { COLUMNS, type Column, type ExportTable } from '../export-table.ts';
import { type Evidence, evidenceFor } from '../evidence.ts';
import type { Trial } from '../context.ts';
import { isSaid } from './export.ts';

/** Looks at the shared export for something that the documents leave open. */
const seen = (
  id: string,
  clause: string,
  title: string,
  look: (evidence: Evidence, trial: Trial) => string,
): SuiteCase => ({
  id: `open/${id}`,
  clauses: [clause],
  level: 'observed',
  title,
  cost: {},
  when: 'last',
  run: async (trial) => look(await evidenceFor(trial), trial),
});

const example = (table: ExportTable, column: Column, trial: Trial): string => {
  const cell = table
    .rows()
    .map((row) => row[column])
    .find(isSaid);
  return cell === undefined
    ? trial.notObserved(`No row says anything in ${column}.`)
    : `For example ${JSON.stringify(cell)}.`;
};

/** Of what the documents leave open about the export: shown, never judged. */
export const openCells: readonly SuiteCase[] = [
  seen('timestamps', 'EXPORT-OPEN-1', 'How timestamps are written.', ({ table }, trial) =>
    example(table, 'creationDate', trial),
  ),
  seen('collaborators', 'EXPORT-OPEN-2', 'How the collaborators are written in their cell.', ({ table }, trial) =>
    example(table, 'collaborators', trial),
  ),
  seen('helpers', 'EXPORT-COLUMN-collaborators', 'Whether a branch has collaborators.', ({ table }, trial) =>
    example(table, 'collaborators', trial),
  ),
  seen('publication', 'EXPORT-COLUMN-lastPublishedDate', 'Whether a branch was published.', ({ table }, trial) =>
    example(table, 'lastPublishedDate', trial),
  ),
  seen(
    'never-happened',
    'EXPORT-OPEN-3',
    'What stands in the cells of steps that a new branch has not reached.',
    (evidence, trial) => {
      const row = evidence.rowOf(evidence.fresh.branchId);
      if (row === undefined) return trial.notObserved('The export has no row for the new branch.');
      return `${COLUMNS.slice(6)
        .map((column) => `${column} ${JSON.stringify(row[column])}`)
        .join(', ')}.`;
    },
  ),
  seen('first-status', 'STATUS-OPEN-2', 'The status of a new branch.', (evidence, trial) => {
    const row = evidence.rowOf(evidence.fresh.branchId);
    return row === undefined ? trial.notObserved('The export has no row for the new branch.') : `${row.branchStatus}.`;
  }),
  seen('transitions', 'STATUS-OPEN-1', 'Which statuses a branch could be put into.', ({ seeded }, trial) =>
    seeded.size === 0
      ? trial.notObserved('Nothing was given that changes a status (--seed-command).')
      : `A new branch could become ${[...seeded.keys()].join(', ')}.`,
  ),
  seen('segment', 'SERVICE-4', 'The workspace in branchUrl.', ({ fresh }, trial) => {
    const [, segment = ''] = /\/schemas\/([^/]+)\//.exec(fresh.branchUrl) ?? [];
    return `${segment}, where the id is ${trial.session.workspace}.`;
  }),
  seen(
    'media-type',
    'EXPORT-OPEN-5',
    'The media type of the export.',
    ({ table }) => `${header(table.answer, 'content-type') ?? 'None'}.`,
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
