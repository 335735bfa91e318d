import type { SuiteCase } from '../../engine/case.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExportTable } from '../export-table.ts';
import { EVIDENCE_COST, evidenceFor } from '../evidence.ts';
import { type Branch, STATUSES } from '../seeding.ts';
import { momentOf, zoneOffset } from '../timestamps.ts';
import type { Trial } from '../context.ts';
import { oldestBranch } from './creation.ts';

/** Looks at the shared export. */
const looks = (
  id: string,
  clauses: [string, ...string[]],
  title: string,
  look: (trial: Trial, table: ExportTable) => void,
): SuiteCase => ({
  id: `export/${id}`,
  clauses,
  level: 'required',
  title,
  cost: {},
  when: 'last',
  run: async (trial) => look(trial, (await evidenceFor(trial)).table),
});

/** Together with what other cases create, more than the hundred that a page often has. */
const MANY = 30;
const AT_ONCE = 8;
/** For what is wanted beyond that. */
const MOST_MS = 5_000;
/** Many services write no fractions of a second. */
const A_SECOND_LATER_MS = 1_100;

/** Of the export and its rows. */
export const exporting: readonly SuiteCase[] = [
  {
    id: 'export/succeeds',
    clauses: ['SERVICE-2', 'VERSION-1', 'EXPORT-REQUEST-1', 'EXPORT-REQUEST-2', 'EXPORT-SUCCESS-1'],
    level: 'required',
    title: 'The documented request is answered with a CSV string.',
    cost: { 'first export': 1 },
    when: 'first',
    run: async (trial) => {
      await earlyExport(trial);
    },
  },
  {
    id: 'export/columns',
    clauses: ['EXPORT-COLUMNS-1', 'EXPORT-SUCCESS-1'],
    level: 'required',
    title: 'The first line names the twelve columns in the documented order, and every row has as many cells.',
    cost: EVIDENCE_COST,
    when: 'last',
    run: async (trial) => {
      await evidenceFor(trial);
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
    run: async (trial) => {
      const { branchId, branchName } = await trial.created();
      const mine = (await trial.exported())
        .rows()
        .filter((row) => row.branchId === branchId || row.branchName === branchName)
        .toArray();
      trial.check(
        mine.length === 1,
        `The new branch ${branchName} (${branchId}) has ${mine.length} rows in the export.`,
      );
      for (const row of mine) {
        const same = row.branchId === branchId && row.branchName === branchName;
        trial.check(same, `The row of ${branchName} (${branchId}) says ${row.branchName} (${row.branchId}).`);
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
    run: async (trial) => {
      await createMany(trial);
      const created = trial.session.branches.filter(({ branchName }) => !branchName.startsWith('-'));
      trial.demand(missing(created, await trial.exported()));
    },
  },
  looks(
    'one-row-each',
    ['EXPORT-ROWS-1', 'EXPORT-COLUMN-branchId'],
    'Every row has an id of its own.',
    (trial, table) => {
      const ids = new Set<string>();
      const twice = new Set<string>();
      for (const { branchId } of table.rows()) (ids.has(branchId) ? twice : ids).add(branchId);
      trial.check(!ids.has(''), 'There are rows without an id.');
      trial.check(twice.size === 0, `Several rows have the id ${[...twice].slice(0, 5).join(', ')}.`);
    },
  ),
  looks(
    'statuses',
    ['EXPORT-COLUMN-branchStatus', 'STATUS-1'],
    `branchStatus is one of ${STATUSES.join(', ')} in every row.`,
    (trial, table) => {
      const known: readonly string[] = STATUSES;
      const others = new Set(
        table
          .rows()
          .map(({ branchStatus }) => branchStatus)
          .filter((status) => !known.includes(status)),
      );
      trial.check(
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
    run: async (trial) => {
      const { rowOf, fresh } = await evidenceFor(trial);
      const row = rowOf(fresh.branchId);
      trial.check(isSaid(row?.creationDate), 'The cell creationDate of a new branch says nothing.');
      trial.check(isSaid(row?.branchCreatorId), 'The cell branchCreatorId of a new branch says nothing.');
    },
  },
  {
    id: 'export/creation-in-utc',
    clauses: ['EXPORT-COLUMN-creationDate'],
    level: 'required',
    title: 'The date of creation is that of UTC, not of another time zone.',
    cost: {},
    when: 'last',
    run: async (trial) => {
      const { rowOf, fresh, freshAt } = await evidenceFor(trial);
      const date = rowOf(fresh.branchId)?.creationDate ?? '';
      const moment = momentOf(date);
      if (moment === undefined)
        return trial.skip(`How timestamps are written is not shown, and ${JSON.stringify(date)} leaves doubt.`);
      const hours = zoneOffset(moment, freshAt);
      trial.check(
        hours === 0,
        `The creationDate ${date} is ${hours} hours from the time of creation, ${new Date(freshAt).toISOString()}.`,
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
    run: async (trial) => {
      const { branchId } = await oldestBranch(trial);
      const early = await earlyExport(trial);
      await pause(Math.max(0, early.at + A_SECOND_LATER_MS - Date.now()));
      const later = await trial.exported();
      const [was, is] = [early.table, later].map((table) => table.rows().find((row) => row.branchId === branchId));
      if (was === undefined || is === undefined)
        return trial.skip('An export has no row for the oldest branch of this run.');
      for (const column of OF_CREATION) {
        trial.check(is[column] === was[column], `${column} was ${was[column]} and became ${is[column]}.`);
      }
    },
  },
  {
    id: 'export/creator-email',
    clauses: ['EXPORT-COLUMN-branchCreatorEmail'],
    level: 'required',
    title: 'Where branchCreatorEmail says something, it is an e-mail address.',
    cost: {},
    when: 'last',
    run: async (trial) => {
      const { rowOf, fresh } = await evidenceFor(trial);
      const email = rowOf(fresh.branchId)?.branchCreatorEmail;
      trial.check(!isSaid(email) || isEmail(email), `The cell branchCreatorEmail is ${JSON.stringify(email)}.`);
    },
  },
  {
    id: 'export/same-creator',
    clauses: ['EXPORT-COLUMN-branchCreatorId'],
    level: 'required',
    title: 'Two branches that one account created have the same creator.',
    cost: { 'first create': 2, 'first export': 1 },
    run: async (trial) => {
      const created = [await trial.created(), await trial.created()];
      const table = await trial.exported();
      const ids = created.map(({ branchId }) => table.rows().find((row) => row.branchId === branchId)?.branchCreatorId);
      trial.check(ids[0] === ids[1], `Their rows have the branchCreatorId ${ids.join(' and ')}.`);
    },
  },
];

const OF_CREATION = ['branchName', 'branchId', 'branchCreatorId', 'creationDate'] as const;

/** The first one of a run; a branch was created before it, if any can be. */
function earlyExport(trial: Trial): Promise<{ table: ExportTable; at: number }> {
  return trial.shared('early export', async (maker) => ({ table: await maker.exported(), at: Date.now() }));
}

async function createMany(trial: Trial): Promise<void> {
  const { branches, options } = trial.session;
  const { table } = await earlyExport(trial);
  const enough = branches.length + MANY;
  const wanted = Math.max(enough, (options.exportRows ?? 0) - table.length);
  const until = Date.now() + MOST_MS;
  let asked = branches.length;
  await trial.allOf(AT_ONCE, async () => {
    while (asked < enough || (asked < wanted && Date.now() < until)) {
      asked += 1;
      await trial.created();
    }
  });
}

function missing(created: readonly Branch[], table: ExportTable): string[] {
  const ids = new Set(created.map(({ branchId }) => branchId));
  const rows = table.rows().filter(({ branchId }) => ids.has(branchId));
  const rowsOf = Map.groupBy(rows, ({ branchId }) => branchId);
  const problems = created.flatMap(({ branchId, branchName }) => {
    const [row, ...more] = rowsOf.get(branchId) ?? [];
    if (row === undefined) return [`The branch ${branchName} (${branchId}) has no row among ${table.length}.`];
    if (more.length > 0) return [`The branch ${branchName} (${branchId}) has ${more.length + 1} rows.`];
    return row.branchName === branchName
      ? []
      : [`The row of ${branchName} (${branchId}) has the name ${row.branchName}.`];
  });
  return problems.slice(0, 10);
}

/** Whether a cell says something, rather than that there is nothing to say; how that is written is not shown. */
export function isSaid(cell: string | undefined): cell is string {
  return cell !== undefined && !/^(?:|-+|–|—|null|none|nil|undefined|n\/a|never|\[\]|\{\})$/i.test(cell.trim());
}

export function isEmail(cell: string): boolean {
  return /^[^@]*[^@\s][^@]*@[^@\s]+$/.test(cell.replaceAll(/"[^"]*"/g, 'quoted'));
}
