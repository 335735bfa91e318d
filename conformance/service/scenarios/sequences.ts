import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceCase } from '../case.ts';
import type { Column, ExportTable, Row } from '../export-table.ts';
import type { ServiceContext } from '../context.ts';
import { CLOSED } from './authentication.ts';
import { hasRows } from './export.ts';

/** Exports of one and the same state. */
const IN_A_ROW = 5;

const OF_CREATION: readonly Column[] = ['branchCreatorId', 'branchCreatorEmail', 'creationDate'];

/** Requests that have to follow one another with nothing else of the run between them. */
export const sequences: readonly ServiceCase[] = [
  {
    id: 'export/again',
    clauses: ['EXPORT-SUCCESS-1', 'EXPORT-ROWS-1'],
    level: 'required',
    title: 'A branch that an export has shown stands in each of the next ones, also while it is the newest.',
    cost: { 'first create': 1, 'first export': 1 + IN_A_ROW },
    when: 'first',
    run: async (context) => {
      const { branchId, branchName } = await context.createBranch();
      const settledAt = performance.now() + context.settleMs;
      await context.exportTable({}, (table) => hasRows(table, [branchId]));
      if (await isShownEachTime(context, branchId)) return;
      // Copies of the data that catch up one by one show it now and then until then.
      await pause(Math.max(0, settledAt - performance.now()));
      context.check(
        await isShownEachTime(context, branchId),
        `The branch ${branchName} (${branchId}) is missing in one of ${IN_A_ROW} exports in a row, of which the first was sent after it had to be shown.`,
      );
    },
  },
  {
    id: 'export/on-a-kept-connection',
    clauses: ['EXPORT-SUCCESS-1', 'EXPORT-ROWS-1'],
    level: 'required',
    title: 'An export shows what was created since the last one on its connection.',
    cost: { 'first create': 2, 'first export': 2 },
    run: (context) =>
      context.overOneConnection(async (transport) => {
        const shown: string[] = [];
        for (let round = 1; round <= 2; round += 1) {
          const { branchId, branchName } = await context.createBranch(context.name(), { transport });
          shown.push(branchId);
          const table = await context.exportTable({ transport }, (one) => hasRows(one, shown));
          if (table.answer.isReused !== true) context.skip(CLOSED);
          context.check(
            hasRows(table, shown),
            `Export ${round} on the connection does not show all that was created before it: the newest was ${branchName} (${branchId}).`,
          );
        }
      }),
  },
  {
    id: 'export/creator-stays',
    clauses: ['EXPORT-COLUMN-branchCreatorId', 'EXPORT-COLUMN-branchCreatorEmail', 'EXPORT-COLUMN-creationDate'],
    level: 'required',
    title: 'What the export says of the creation of a branch stays when another account creates one.',
    needs: ['second account'],
    cost: { 'first create': 1, 'second create': 1, 'first export': 2 },
    when: 'first',
    run: async (context) => {
      const as = context.session.secondAccount;
      if (as === undefined) return;
      const mine = await context.createBranch();
      const rowIn = (table: ExportTable): Row | undefined =>
        table.rows().find(({ branchId }) => branchId === mine.branchId);
      const was = rowIn(await context.exportTable({}, (table) => hasRows(table, [mine.branchId])));
      const theirs = await context.createBranch(context.name(), { as });
      const is = rowIn(await context.exportTable({}, (table) => hasRows(table, [mine.branchId, theirs.branchId])));
      for (const column of OF_CREATION)
        context.check(is?.[column] === was?.[column], `${column} was ${was?.[column]} and became ${is?.[column]}.`);
    },
  },
  {
    id: 'statuses/changes-alone',
    clauses: ['EXPORT-COLUMN-branchStatus', 'STATUS-1'],
    level: 'required',
    title: 'An export shows that a branch was closed also where none was created since the export before.',
    needs: ['seeding'],
    cost: { 'first create': 1, 'first export': 2 },
    when: 'first',
    run: async (context) => {
      const branch = await context.createBranch();
      const statusIn = (table: ExportTable): string | undefined =>
        table.rows().find(({ branchId }) => branchId === branch.branchId)?.branchStatus;
      await context.exportTable({}, (table) => statusIn(table) !== undefined);
      await context.seed(branch, 'Closed');
      const status = statusIn(await context.exportTable({}, (table) => statusIn(table) === 'Closed'));
      context.check(status === 'Closed', `The branch was put into Closed, but the export says ${status}.`);
    },
  },
];

async function isShownEachTime(context: ServiceContext, branchId: string): Promise<boolean> {
  for (let count = 0; count < IN_A_ROW; count += 1) if (!hasRows(await context.exportTable(), [branchId])) return false;
  return true;
}
