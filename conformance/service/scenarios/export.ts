import type { ServiceCase } from '../case.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExportTable, Row } from '../export-table.ts';
import { EVIDENCE_COST, gatherEvidence } from '../evidence.ts';
import { type Branch, STATUSES } from '../seeding.ts';
import { describeError, hasSeconds, isTimestamp, parseTimestamp } from '../timestamps.ts';
import type { ServiceContext } from '../context.ts';
import { oldestBranch } from './creation.ts';

/** Looks at the shared export. */
const looks = (
  id: string,
  clauses: [string, ...string[]],
  title: string,
  look: (context: ServiceContext, table: ExportTable) => void,
): ServiceCase => ({
  id: `export/${id}`,
  clauses,
  level: 'required',
  title,
  cost: {},
  when: 'last',
  run: async (context) => look(context, (await gatherEvidence(context)).table),
});

/** Together with what other cases create, more than the hundred that a page often has. */
const MANY = 30;
const AT_ONCE = 8;
/** For what is wanted beyond that. */
const MOST_MS = 20_000;
/** Many services write no fractions of a second. */
export const A_SECOND_LATER_MS = 1_100;

/** The export and its rows. */
export const exporting: readonly ServiceCase[] = [
  {
    id: 'export/succeeds',
    clauses: ['SERVICE-2', 'VERSION-1', 'EXPORT-REQUEST-1', 'EXPORT-REQUEST-2', 'EXPORT-SUCCESS-1'],
    level: 'required',
    title: 'The documented request is answered with a CSV string.',
    cost: { 'first export': 1 },
    when: 'first',
    run: async (context) => {
      await earlyExport(context);
    },
  },
  {
    id: 'export/columns',
    clauses: ['EXPORT-COLUMNS-1', 'EXPORT-SUCCESS-1'],
    level: 'required',
    title: 'The first line names the twelve columns in the documented order, and every row has as many cells.',
    cost: EVIDENCE_COST,
    when: 'last',
    run: async (context) => {
      await gatherEvidence(context);
    },
  },
  {
    id: 'export/shows-what-was-just-created',
    clauses: [
      'EXPORT-SUCCESS-1',
      'EXPORT-ROWS-1',
      'EXPORT-COLUMNS-1',
      'EXPORT-COLUMN-branchName',
      'EXPORT-COLUMN-branchId',
      'BRANCH-CREATE-201-3',
    ],
    level: 'required',
    title: 'A branch stands in the next export, once, with the id and the name that its creation was answered with.',
    cost: { 'first create': 1, 'first export': 1 },
    when: 'first',
    run: async (context) => {
      const { branchId, branchName } = await context.createBranch();
      const rowsIn = (table: ExportTable): Row[] =>
        table
          .rows()
          .filter((row) => row.branchId === branchId || row.branchName === branchName)
          .toArray();
      const mine = rowsIn(await context.exportTable({}, (table) => rowsIn(table).length > 0));
      context.check(
        mine.length === 1,
        `The new branch ${branchName} (${branchId}) has ${mine.length} rows in the export.`,
      );
      for (const row of mine) {
        const same = row.branchId === branchId && row.branchName === branchName;
        context.check(same, `The row of ${branchName} (${branchId}) says ${row.branchName} (${row.branchId}).`);
      }
    },
  },
  {
    id: 'export/shows-all-branches',
    clauses: ['EXPORT-SUCCESS-1', 'EXPORT-ROWS-1', 'EXPORT-COLUMN-branchName', 'EXPORT-COLUMN-branchId', 'SERVICE-2'],
    level: 'required',
    title: 'Every branch that this run created stands in the export, once, under its name, however many they are.',
    cost: { 'first create': MANY, 'first export': 1 },
    when: 'last',
    run: async (context) => {
      await haveManyBranches(context);
      // Not those of other cases that come while the export is on its way.
      const created = [...context.session.branches];
      const table = await context.exportTable({}, (one) => findMissing(created, one).length === 0);
      context.demand(findMissing(created, table));
    },
  },
  looks(
    'one-row-each',
    ['EXPORT-ROWS-1', 'EXPORT-COLUMN-branchId'],
    'Every row has an id of its own.',
    (context, table) => {
      const ids = new Set<string>();
      const twice = new Set<string>();
      for (const { branchId } of table.rows()) (ids.has(branchId) ? twice : ids).add(branchId);
      context.check(!ids.has(''), 'There are rows without an id.');
      context.check(twice.size === 0, `Several rows have the id ${[...twice].slice(0, 5).join(', ')}.`);
    },
  ),
  looks(
    'statuses',
    ['EXPORT-COLUMN-branchStatus', 'STATUS-1'],
    `branchStatus is one of ${STATUSES.join(', ')} in every row.`,
    (context, table) => {
      const known: readonly string[] = STATUSES;
      const others = new Set(
        table
          .rows()
          .map(({ branchStatus }) => branchStatus)
          .filter((status) => !known.includes(status)),
      );
      context.check(
        others.size === 0,
        `There are the statuses ${[...others]
          .slice(0, 5)
          .map((one) => JSON.stringify(one))
          .join(', ')}.`,
      );
    },
  ),
  {
    id: 'export/creation',
    clauses: ['EXPORT-COLUMN-creationDate', 'EXPORT-COLUMN-branchCreatorId'],
    level: 'required',
    title: 'A branch that this run created has a date of creation and the id of its creator.',
    cost: {},
    when: 'last',
    run: async (context) => {
      const { findRow, fresh } = await gatherEvidence(context);
      const row = findRow(fresh.branchId);
      context.check(isSaid(row?.creationDate), 'The cell creationDate of a new branch says nothing.');
      context.check(
        !isSaid(row?.creationDate) || isTimestamp(row.creationDate),
        `The creationDate ${JSON.stringify(row?.creationDate)} is no timestamp.`,
      );
      context.check(isSaid(row?.branchCreatorId), 'The cell branchCreatorId of a new branch says nothing.');
    },
  },
  {
    id: 'export/creation-in-utc',
    clauses: ['EXPORT-COLUMN-creationDate'],
    level: 'required',
    title:
      'The date of creation is when the branch was created, in UTC: by a clock that is right, or by that of the service.',
    cost: {},
    when: 'last',
    run: async (context) => {
      const { findRow, fresh, freshAt } = await gatherEvidence(context);
      const date = findRow(fresh.branchId)?.creationDate ?? '';
      const moment = parseTimestamp(date);
      if (moment === undefined)
        return context.skip(`How timestamps are written is not shown, and ${JSON.stringify(date)} leaves doubt.`);
      const off = describeError(moment, freshAt);
      context.check(
        off === undefined,
        `The creationDate ${date} is ${off} from the time of creation, ${new Date(freshAt.to).toISOString()}.`,
      );
    },
  },
  {
    id: 'export/creation-stays',
    clauses: ['EXPORT-COLUMN-creationDate', 'EXPORT-COLUMN-branchCreatorId', 'EXPORT-COLUMN-branchId'],
    level: 'required',
    title: 'What two exports say of how a branch was created is the same.',
    cost: { 'first export': 1 },
    when: 'last',
    run: async (context) => {
      const { branchId } = await oldestBranch(context);
      const early = await earlyExport(context);
      await pause(Math.max(0, early.at + A_SECOND_LATER_MS - Date.now()));
      const later = await context.exportTable();
      const [was, is] = [early.table, later].map((table) => table.rows().find((row) => row.branchId === branchId));
      if (was === undefined || is === undefined)
        return context.skip('An export has no row for the oldest branch of this run.');
      for (const column of OF_CREATION) {
        context.check(is[column] === was[column], `${column} was ${was[column]} and became ${is[column]}.`);
      }
    },
  },
  {
    id: 'export/creations-differ',
    clauses: ['EXPORT-COLUMN-creationDate'],
    level: 'required',
    title: 'Branches that were created more than a second apart do not all have the same date of creation.',
    cost: { 'first create': 1, 'first export': 1 },
    when: 'last',
    run: async (context) => {
      const oldest = await oldestBranch(context);
      const { at } = await earlyExport(context);
      await pause(Math.max(0, at + A_SECOND_LATER_MS - Date.now()));
      const ends = [oldest.branchId, (await context.createBranch()).branchId];
      const ours = new Set(context.session.branches.map(({ branchId }) => branchId));
      const table = await context.exportTable({}, (one) => hasRows(one, ends));
      if (!hasRows(table, ends)) return context.skip('The export lacks the oldest or the newest branch of this run.');
      const rows = table.rows().filter(({ branchId }) => ours.has(branchId));
      const [date = '', ...others] = new Set(rows.map(({ creationDate }) => creationDate));
      if (!hasSeconds(date))
        return context.skip(`How timestamps are written is not shown; ${JSON.stringify(date)} may have no seconds.`);
      context.check(others.length > 0, `All branches of this run have the creationDate ${date}.`);
    },
  },
  {
    id: 'export/creator-email',
    clauses: ['EXPORT-COLUMN-branchCreatorEmail'],
    level: 'required',
    title: 'Where branchCreatorEmail says something, it is an e-mail address.',
    cost: {},
    when: 'last',
    run: async (context) => {
      const { findRow, fresh } = await gatherEvidence(context);
      const email = findRow(fresh.branchId)?.branchCreatorEmail;
      context.check(!isSaid(email) || isEmail(email), `The cell branchCreatorEmail is ${JSON.stringify(email)}.`);
    },
  },
  {
    id: 'export/same-creator',
    clauses: ['EXPORT-COLUMN-branchCreatorId'],
    level: 'required',
    title: 'Two branches that one account created have the same creator.',
    cost: { 'first create': 2, 'first export': 1 },
    run: async (context) => {
      const created = [await context.createBranch(), await context.createBranch()];
      const wanted = created.map(({ branchId }) => branchId);
      const table = await context.exportTable({}, (one) => hasRows(one, wanted));
      const ids = created.map(({ branchId }) => table.rows().find((row) => row.branchId === branchId)?.branchCreatorId);
      context.check(ids[0] === ids[1], `Their rows have the branchCreatorId ${ids.join(' and ')}.`);
    },
  },
];

/** Whether each of the branches has a row. */
export function hasRows(table: ExportTable, branchIds: readonly string[]): boolean {
  const ids = new Set(table.rows().map(({ branchId }) => branchId));
  return branchIds.every((id) => ids.has(id));
}

const OF_CREATION = ['branchName', 'branchId', 'branchCreatorId', 'creationDate'] as const;

/** The first export of a run; if branches can be created, one was before it. */
export function earlyExport(context: ServiceContext): Promise<{ table: ExportTable; at: number }> {
  return context.share('early export', async (maker) => ({ table: await maker.exportTable(), at: Date.now() }));
}

/** Creates branches until an export is likely to need more than a page; once in a run. */
export function haveManyBranches(context: ServiceContext): Promise<void> {
  return context.share('many branches', createMany);
}

async function createMany(context: ServiceContext): Promise<void> {
  const { branches, options } = context.session;
  const { table } = await earlyExport(context);
  const enough = branches.length + MANY;
  const wanted = Math.max(enough, (options.exportRows ?? 0) - table.length);
  const until = Date.now() + MOST_MS;
  let asked = branches.length;
  await context.repeat(AT_ONCE, async () => {
    while (asked < enough || (asked < wanted && Date.now() < until)) {
      asked += 1;
      await context.createBranch();
    }
  });
  if (asked < wanted) {
    const rows = `about ${table.length + asked} of ${options.exportRows} rows`;
    context.warnings.push(
      `After ${MOST_MS / 1_000} seconds there were ${rows}: what shows only with more was not tried.`,
    );
  }
}

function findMissing(created: readonly Branch[], table: ExportTable): string[] {
  const ids = new Set(created.map(({ branchId }) => branchId));
  const rows = table.rows().filter(({ branchId }) => ids.has(branchId));
  const rowsById = Map.groupBy(rows, ({ branchId }) => branchId);
  const problems = created.flatMap(({ branchId, branchName }) => {
    const [row, ...more] = rowsById.get(branchId) ?? [];
    if (row === undefined) return [`The branch ${branchName} (${branchId}) has no row among ${table.length}.`];
    if (more.length > 0) return [`The branch ${branchName} (${branchId}) has ${more.length + 1} rows.`];
    return row.branchName === branchName
      ? []
      : [`The row of ${branchName} (${branchId}) has the name ${row.branchName}.`];
  });
  return problems.slice(0, 10);
}

/** Whether a cell has a value; how an absent one is written is not shown. */
export function isSaid(cell: string | undefined): cell is string {
  return cell !== undefined && !/^(?:|-+|–|—|null|none|nil|undefined|n\/a|never|\[\]|\{\})$/i.test(cell.trim());
}

export function isEmail(cell: string): boolean {
  return /^[^@]*[^@\s][^@]*@[^@\s]+$/.test(cell.replaceAll(/"[^"]*"/g, 'quoted'));
}
