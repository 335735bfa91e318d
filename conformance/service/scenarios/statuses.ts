import { setTimeout as pause } from 'node:timers/promises';
import { Skipped } from '../../engine/case.ts';
import type { ServiceCase } from '../case.ts';
import type { ServiceContext } from '../context.ts';
import type { Column, ExportTable, Row } from '../export-table.ts';
import { gatherEvidence, findRowInStatus } from '../evidence.ts';
import { type Branch, STATUSES, type Status } from '../seeding.ts';
import { type Happened, describeError, hasSeconds, isTimestamp, parseTimestamp } from '../timestamps.ts';
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
    // A branch may have taken the step by its creation.
    const isBornSo = isSaid(evidence.findRow(evidence.fresh.branchId)?.[column] ?? '');
    if (what === 'a date' && isSaid(cell) && !isBornSo)
      context.demand(checkDate(cell, row.creationDate, evidence.seededAt));
    if (what !== 'a date')
      context.check(isEmail(cell), `The cell is ${JSON.stringify(cell)}, which is no e-mail address.`);
  },
});

/** A date of a step that the run had a branch take, more than a second after its creation. */
function checkDate(date: string, creationDate: string, happened: Happened): string[] {
  if (!isTimestamp(date)) return [`The cell is ${JSON.stringify(date)}, which is no timestamp.`];
  const [moment, creation] = [parseTimestamp(date), parseTimestamp(creationDate)];
  if (moment === undefined) return [];
  const off = describeError(moment, happened);
  return [
    ...(off === undefined ? [] : [`The date ${date} is ${off} from the time of the step in UTC.`]),
    ...(creation !== undefined && moment <= creation && hasSeconds(date)
      ? [`The date ${date} is not after the branch's creation, ${creationDate}, which was more than a second before.`]
      : []),
  ];
}

/** Many services write no fractions of a second. */
const A_SECOND_LATER_MS = 1_100;

/** What a branch's creation says of it, once and for all. */
const OF_CREATION: readonly Column[] = ['branchName', 'branchCreatorId', 'branchCreatorEmail', 'creationDate'];
/** By the status whose first time they tell of. */
const OF_STEPS: Partial<Record<Status, readonly Column[]>> = {
  ReadyForReview: ['markedReadyForReviewDate', 'markedReadyForReviewerUserEmail'],
  Merged: ['branchMergedDate', 'branchMergedUserEmail'],
};

/** What is said of a branch stays as it is, whatever step comes next. */
function stays(
  id: string,
  clauses: [string, ...string[]],
  title: string,
  steps: readonly [Status, ...Status[]],
): ServiceCase {
  return {
    id: `statuses/${id}`,
    clauses,
    level: 'required',
    title,
    needs: ['seeding'],
    cost: { 'first create': 1, 'first export': 2 * steps.length },
    run: async (context) => {
      const branch = await context.createBranch();
      const life = new Life(context, branch);
      await life.look();
      for (const [index, status] of steps.entries()) {
        if (index > 0) await pause(A_SECOND_LATER_MS);
        if (!(await canSeed(context, branch, status))) break;
        await life.look(status);
      }
      // Nothing happens, and so nothing becomes something else.
      await pause(A_SECOND_LATER_MS);
      await life.look();
    },
  };
}

/** What the export has said of a branch, and must go on to say. */
class Life {
  readonly #context: ServiceContext;
  readonly #branchId: string;
  readonly #said = new Map<Column, string>();

  constructor(context: ServiceContext, { branchId }: Branch) {
    this.#context = context;
    this.#branchId = branchId;
  }

  /**
   * Exports, and compares.
   *
   * @param status - which the branch was put into just now; left out: none.
   */
  async look(status?: Status): Promise<void> {
    const row = await this.#findRow(status);
    const when = status === undefined ? '' : ` when the branch became ${status}`;
    if (status !== undefined) {
      const is = row?.branchStatus;
      this.#context.check(is === status, `The branch was put into ${status}, but the export says ${is}.`);
    }
    for (const [column, was] of this.#said) {
      const is = row?.[column];
      this.#context.check(is === was, `${column} was ${was} and became ${is}${when}.`);
    }
    for (const column of status === undefined ? OF_CREATION : (OF_STEPS[status] ?? []))
      if (!this.#said.has(column)) this.#said.set(column, row?.[column] ?? '');
  }

  /** As soon as it has the status, or else as it is in the end. */
  async #findRow(status: Status | undefined): Promise<Row | undefined> {
    const rowIn = (table: ExportTable): Row | undefined => table.rows().find((row) => row.branchId === this.#branchId);
    const isSettled = (row: Row | undefined): boolean =>
      row !== undefined && (status === undefined || row.branchStatus === status);
    return rowIn(await this.#context.exportTable({}, (table) => isSettled(rowIn(table))));
  }
}

/** Which steps can follow one another is not shown. */
async function canSeed(context: ServiceContext, branch: Branch, status: Status): Promise<boolean> {
  try {
    await context.seed(branch, status);
    return true;
  } catch (error) {
    if (error instanceof Skipped) return false;
    throw error;
  }
}

/** What the export shows of a branch's life. */
export const statuses: readonly ServiceCase[] = [
  ...STATUSES.map(shown),
  filled('markedReadyForReviewDate', 'ReadyForReview', 'a date'),
  filled('markedReadyForReviewerUserEmail', 'ReadyForReview', 'an e-mail address'),
  filled('branchMergedDate', 'Merged', 'a date'),
  filled('branchMergedUserEmail', 'Merged', 'an e-mail address'),
  stays(
    'first-ready-for-review',
    ['EXPORT-COLUMN-markedReadyForReviewDate', 'EXPORT-COLUMN-markedReadyForReviewerUserEmail'],
    'Date and user of the first ReadyForReview stay when a branch becomes a Draft, and ReadyForReview again.',
    ['ReadyForReview', 'Draft', 'ReadyForReview'],
  ),
  stays(
    'life',
    [
      'EXPORT-COLUMN-branchCreatorId',
      'EXPORT-COLUMN-branchCreatorEmail',
      'EXPORT-COLUMN-creationDate',
      'EXPORT-COLUMN-markedReadyForReviewDate',
      'EXPORT-COLUMN-branchMergedDate',
    ],
    'What is said of the creation of a branch and of its first review stays when it is approved and merged, and what is said of the merge stays, too.',
    ['ReadyForReview', 'Approved', 'Merged'],
  ),
  stays(
    'life-of-a-closed-branch',
    [
      'EXPORT-COLUMN-branchCreatorId',
      'EXPORT-COLUMN-branchCreatorEmail',
      'EXPORT-COLUMN-creationDate',
      'EXPORT-COLUMN-markedReadyForReviewDate',
    ],
    'What is said of the creation of a branch and of its first review stays when it is closed.',
    ['ReadyForReview', 'Closed'],
  ),
];
