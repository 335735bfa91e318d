import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceCase } from '../case.ts';
import type { Column, ExportTable, Row } from '../export-table.ts';
import { gatherEvidence, findRowInStatus } from '../evidence.ts';
import { STATUSES, type Status } from '../seeding.ts';
import { hasSeconds, isTimestamp, measureZoneOffset, parseTimestamp } from '../timestamps.ts';
import { isEmail, isSaid } from './export.ts';

const shown = (status: Status): ServiceCase => ({
  id: `statuses/${status}`,
  clauses: ['STATUS-1', 'EXPORT-COLUMN-branchStatus', 'EXPORT-ROWS-1'],
  level: 'required',
  title: `A branch that is ${status} stands in the export, with that status.`,
  needs: ['seeding'],
  cost: {},
  when: 'last',
  run: async (context) => {
    const { branchStatus } = findRowInStatus(context, await gatherEvidence(context), status);
    context.check(branchStatus === status, `The branch was put into ${status}, but the export says ${branchStatus}.`);
  },
});

/** A cell that a step fills: the documents say what is in it once the branch has reached the step. */
const filled = (column: Column, status: Status, what: 'a date' | 'an e-mail address'): ServiceCase => ({
  id: `statuses/${column}`,
  clauses: [`EXPORT-COLUMN-${column}`],
  level: 'required',
  title: `The cell ${column} of a branch that is ${status} holds ${what}.`,
  needs: ['seeding'],
  cost: {},
  when: 'last',
  run: async (context) => {
    const evidence = await gatherEvidence(context);
    const row = findRowInStatus(context, evidence, status);
    const cell = row[column];
    context.check(isSaid(cell), `The cell is ${JSON.stringify(cell)}.`);
    // A branch may have the status from its creation on.
    const isBornSo = evidence.findRow(evidence.fresh.branchId)?.branchStatus === status;
    if (what === 'a date' && isSaid(cell) && !isBornSo)
      context.demand(checkDate(cell, row.creationDate, evidence.seededAt));
    if (what !== 'a date')
      context.check(isEmail(cell), `The cell is ${JSON.stringify(cell)}, which is no e-mail address.`);
  },
});

/** A date of a step that the run had a branch take, more than a second after its creation. */
function checkDate(date: string, creationDate: string, happened: number): string[] {
  if (!isTimestamp(date)) return [`The cell is ${JSON.stringify(date)}, which is no timestamp.`];
  const [moment, creation] = [parseTimestamp(date), parseTimestamp(creationDate)];
  if (moment === undefined) return [];
  const hours = measureZoneOffset(moment, happened);
  return [
    ...(hours === 0 ? [] : [`The date ${date} is ${hours} hours from the time of the step: it is not in UTC.`]),
    ...(moment === creation && hasSeconds(date)
      ? [`The date ${date} is that of the branch's creation, which was more than a second before.`]
      : []),
  ];
}

const LATER: Status = 'ReadyForReview';
/** Many services write no fractions of a second. */
const A_SECOND_LATER_MS = 1_100;

/** What the export shows of a branch's life. */
export const statuses: readonly ServiceCase[] = [
  ...STATUSES.map(shown),
  filled('markedReadyForReviewDate', 'ReadyForReview', 'a date'),
  filled('markedReadyForReviewerUserEmail', 'ReadyForReview', 'an e-mail address'),
  filled('branchMergedDate', 'Merged', 'a date'),
  filled('branchMergedUserEmail', 'Merged', 'an e-mail address'),
  {
    id: 'statuses/first-ready-for-review',
    clauses: ['EXPORT-COLUMN-markedReadyForReviewDate', 'EXPORT-COLUMN-markedReadyForReviewerUserEmail'],
    level: 'required',
    title: 'Date and user of the first ReadyForReview stay when a branch becomes a Draft and ReadyForReview again.',
    needs: ['seeding'],
    cost: { 'first create': 1, 'first export': 3 },
    run: async (context) => {
      const branch = await context.createInStatus(LATER);
      const rowIn = (table: ExportTable): Row | undefined =>
        table.rows().find(({ branchId }) => branchId === branch.branchId);
      const rowOnceIn = async (status: Status): Promise<Row | undefined> =>
        rowIn(await context.exportTable({}, (table) => rowIn(table)?.branchStatus === status));
      const before = await rowOnceIn(LATER);
      const compare = (after: Row | undefined, status: Status): void => {
        for (const column of ['markedReadyForReviewDate', 'markedReadyForReviewerUserEmail'] as const) {
          const [was, is] = [before?.[column], after?.[column]];
          context.check(is === was, `${column} was ${was} and became ${is} when the branch became ${status}.`);
        }
      };
      await pause(A_SECOND_LATER_MS);
      for (const status of ['Draft', LATER] as const) {
        await context.seed(branch, status);
        compare(await rowOnceIn(status), status);
      }
    },
  },
];
