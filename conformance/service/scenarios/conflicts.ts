import type { ServiceCase } from '../case.ts';
import type { Column, ExportTable, Row } from '../export-table.ts';
import { CLOSED } from './authentication.ts';
import { CONFLICT, checkCreated, checkError, checkInvalidName, checkStatus } from '../documented.ts';
import type { Status } from '../seeding.ts';
import type { ServiceContext } from '../context.ts';
import { oldestBranch } from './creation.ts';
import { haveManyBranches } from './export.ts';

const RIVALS = 6;

const held = (status: Status): ServiceCase => ({
  id: `conflicts/${status}-holds-its-name`,
  clauses: ['PROFILE-OPEN-1'],
  level: 'profile',
  title: `A branch that is ${status} is open: its name can't be had.`,
  needs: ['seeding'],
  cost: { 'first create': 2 },
  run: async (context) => {
    const branch = await context.createInStatus(status);
    context.demand(checkError(await context.create({ name: branch.branchName }), 409, CONFLICT));
  },
});

const free = (status: Status): ServiceCase => ({
  id: `conflicts/${status}-frees-its-name`,
  clauses: ['PROFILE-OPEN-1'],
  level: 'profile',
  title: `A branch that is ${status} is no longer open: its name is free again, and the new branch holds it.`,
  needs: ['seeding'],
  cost: { 'first create': 3 },
  run: async (context) => {
    const ended = await context.createInStatus(status);
    const again = await context.createBranch(ended.branchName);
    context.check(
      again.branchId !== ended.branchId,
      `The new branch has the id of the ${status} one, ${ended.branchId}.`,
    );
    context.demand(checkError(await context.create({ name: ended.branchName }), 409, CONFLICT));
  },
});

/** Whether such a branch holds its name is open; what the answers are is not. */
const again = (status: Status): ServiceCase => ({
  id: `conflicts/again-after-${status}`,
  clauses: ['BRANCH-CREATE-201-1', 'BRANCH-CREATE-409-2'],
  level: 'required',
  title: `The name of a branch that is ${status} is answered as a free name is, or as a held one.`,
  needs: ['seeding'],
  cost: { 'first create': 2 },
  run: async (context) => {
    const { branchName } = await context.createInStatus(status);
    const answer = await context.create({ name: branchName });
    context.demand(
      answer.status === 409 ? checkError(answer, 409, CONFLICT) : checkCreated(answer, branchName).problems,
    );
  },
});

/** How names are held. */
export const conflicts: readonly ServiceCase[] = [
  {
    id: 'conflicts/status',
    clauses: ['BRANCH-CREATE-409-1', 'NAME-3'],
    level: 'required',
    title: 'The name of an open branch is answered with 409.',
    cost: { 'first create': 2 },
    run: async (context) => {
      const { branchName } = await context.createBranch();
      context.demand(checkStatus(await context.create({ name: branchName }), 409));
    },
  },
  {
    id: 'conflicts/sentence',
    clauses: ['BRANCH-CREATE-409-2', 'ERROR-BODY-1'],
    level: 'required',
    title: 'A conflict is answered with exactly the documented sentence.',
    cost: { 'first create': 2 },
    run: async (context) => {
      const { branchName } = await context.createBranch();
      context.demand(checkError(await context.create({ name: branchName }), 409, CONFLICT));
    },
  },
  {
    id: 'conflicts/nothing-changes',
    clauses: ['BRANCH-CREATE-409-1', 'EXPORT-COLUMN-branchCreatorId'],
    level: 'required',
    title: 'A conflict leaves the branch that was there as it was, whichever account meets it, and creates none.',
    cost: { 'first create': 2, 'second create': 1, 'first export': 2 },
    run: async (context) => {
      const { branchName } = await context.createBranch();
      const before = await findRows(context, branchName, true);
      for (const as of context.session.options.accounts.slice(0, 2))
        context.demand(checkError(await context.create({ name: branchName }, { as }), 409, CONFLICT));
      const after = await findRows(context, branchName);
      context.check(before.length === 1, `The branch was created, and the export has ${before.length} rows for it.`);
      context.check(
        readSettledCells(after) === readSettledCells(before),
        `After the conflict the rows of the name are ${readSettledCells(after)}; before, they were ${readSettledCells(before)}.`,
      );
    },
  },
  {
    id: 'conflicts/oldest-branch',
    clauses: ['BRANCH-CREATE-409-1', 'NAME-3'],
    level: 'required',
    title: 'The names of the oldest and of the newest branch are held also after many others were created.',
    cost: { 'first create': 3 },
    when: 'last',
    run: async (context) => {
      const { branchName } = await oldestBranch(context);
      await haveManyBranches(context);
      const newest = await context.createBranch();
      for (const name of [branchName, newest.branchName])
        context.demand(checkError(await context.create({ name }), 409, CONFLICT));
    },
  },
  {
    id: 'conflicts/second-account',
    clauses: ['BRANCH-CREATE-409-1', 'NAME-3'],
    level: 'required',
    title: 'A name is held for the whole workspace, whichever account created the branch.',
    needs: ['second account'],
    cost: { 'first create': 2, 'second create': 2 },
    run: async (context) => {
      const as = context.session.secondAccount;
      if (as === undefined) return;
      const mine = await context.createBranch();
      context.demand(checkError(await context.create({ name: mine.branchName }, { as }), 409, CONFLICT));
      const theirs = await context.createBranch(context.name(), { as });
      context.demand(checkError(await context.create({ name: theirs.branchName }), 409, CONFLICT));
    },
  },
  {
    id: 'conflicts/race',
    clauses: ['BRANCH-CREATE-409-1', 'BRANCH-CREATE-409-2', 'NAME-3', 'EXPORT-ROWS-1'],
    level: 'required',
    title: 'Of several requests for one name at the same time one is answered with 201, every other with 409.',
    cost: { 'first create': RIVALS, 'first export': 1 },
    when: 'first',
    run: async (context) => {
      const name = context.name();
      const { account, secondAccount = account } = context.session;
      const rivals = Array.from({ length: RIVALS }, (_, index) => (index % 2 === 0 ? account : secondAccount));
      const lanes = rivals.map((as) => context.session.lane(as, 'create'));
      const answers = await context.together(lanes, (index) =>
        context.create({ name }, { unpaced: true, as: rivals[index] ?? account }),
      );
      const created = answers.filter(({ status }) => status === 201);
      context.check(
        created.length === 1,
        `${created.length} of ${RIVALS} requests for one name were answered with 201.`,
      );
      const problems = answers.flatMap((answer) =>
        answer.status === 201 ? checkCreated(answer, name).problems : checkError(answer, 409, CONFLICT),
      );
      context.demand([...new Set(problems)]);
      const rows = await findRows(context, name, true);
      context.check(rows.length === 1, `The export has ${rows.length} rows with the name ${name}.`);
    },
  },
  {
    id: 'conflicts/on-a-kept-connection',
    clauses: ['BRANCH-CREATE-201-3', 'BRANCH-CREATE-400-1', 'BRANCH-CREATE-409-1', 'BRANCH-CREATE-409-2', 'NAME-3'],
    level: 'required',
    title: 'Each request is answered by itself, whatever was answered before it on its connection.',
    cost: { 'first create': 7 },
    run: (context) =>
      context.overOneConnection(async (transport) => {
        const { branchName } = await context.createBranch(context.name(), { transport });
        const invalid = branchName.replace('-', '_');
        for (let round = 0; round < 2; round += 1) {
          const held = await context.create({ name: branchName }, { transport });
          if (held.isReused !== true) context.skip(CLOSED);
          context.demand(checkError(held, 409, CONFLICT));
          context.demand(checkInvalidName(await context.create({ name: invalid }, { transport })).problems);
          await context.createBranch(context.name(), { transport });
        }
      }),
  },
  again('Merged'),
  again('Closed'),
  held('Draft'),
  held('ReadyForReview'),
  held('Approved'),
  free('Closed'),
  free('Merged'),
];

const SETTLED: readonly Column[] = ['branchId', 'branchName', 'branchCreatorId', 'creationDate', 'branchStatus'];

/** Those that nothing changes meanwhile; what stands in others is not shown before something happens. */
function readSettledCells(rows: readonly Row[]): string {
  return JSON.stringify(rows.map((row) => SETTLED.map((column) => row[column])));
}

async function findRows(context: ServiceContext, name: string, awaitsOne = false): Promise<Row[]> {
  const rowsIn = (table: ExportTable): Row[] =>
    table
      .rows()
      .filter(({ branchName }) => branchName === name)
      .toArray();
  return rowsIn(await context.exportTable({}, (table) => !awaitsOne || rowsIn(table).length > 0));
}
