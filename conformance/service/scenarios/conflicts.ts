import type { SuiteCase } from '../../engine/case.ts';
import type { Column, Row } from '../export-table.ts';
import { CONFLICT, judgeCreated, judgeError, statusProblem } from '../documented.ts';
import type { Status } from '../seeding.ts';
import type { Trial } from '../context.ts';
import { oldestBranch } from './creation.ts';

const RIVALS = 6;

const held = (status: Status): SuiteCase => ({
  id: `conflicts/${status}-holds-its-name`,
  clauses: ['NAME-3', 'BRANCH-CREATE-409-1'],
  level: 'required',
  title: `A branch that is ${status} is open: its name can't be had.`,
  needs: ['seeding'],
  cost: { 'first create': 2 },
  run: async (trial) => {
    const branch = await trial.seeded(status);
    trial.demand(judgeError(await trial.create({ name: branch.branchName }), 409, CONFLICT));
  },
});

const free = (status: Status): SuiteCase => ({
  id: `conflicts/${status}-frees-its-name`,
  clauses: ['NAME-3', 'BRANCH-CREATE-201-3'],
  level: 'required',
  title: `A branch that is ${status} is no longer open: its name is free again, and the new branch holds it.`,
  needs: ['seeding'],
  cost: { 'first create': 3 },
  run: async (trial) => {
    const ended = await trial.seeded(status);
    const again = await trial.created(ended.branchName);
    trial.check(
      again.branchId !== ended.branchId,
      `The new branch has the id of the ${status} one, ${ended.branchId}.`,
    );
    trial.demand(judgeError(await trial.create({ name: ended.branchName }), 409, CONFLICT));
  },
});

/** Of names that are held. */
export const conflicts: readonly SuiteCase[] = [
  {
    id: 'conflicts/status',
    clauses: ['BRANCH-CREATE-409-1', 'NAME-3'],
    level: 'required',
    title: 'The name of an open branch is answered with 409.',
    cost: { 'first create': 2 },
    run: async (trial) => {
      const { branchName } = await trial.created();
      trial.demand(statusProblem(await trial.create({ name: branchName }), 409));
    },
  },
  {
    id: 'conflicts/sentence',
    clauses: ['BRANCH-CREATE-409-2', 'ERROR-BODY-1'],
    level: 'required',
    title: 'A conflict is answered with exactly the documented sentence.',
    cost: { 'first create': 2 },
    run: async (trial) => {
      const { branchName } = await trial.created();
      trial.demand(judgeError(await trial.create({ name: branchName }), 409, CONFLICT));
    },
  },
  {
    id: 'conflicts/nothing-changes',
    clauses: ['BRANCH-CREATE-409-1'],
    level: 'required',
    title: 'A conflict leaves the branch that was there as it was, and creates none.',
    cost: { 'first create': 2, 'first export': 2 },
    run: async (trial) => {
      const { branchName } = await trial.created();
      const before = await rowsOf(trial, branchName);
      trial.demand(judgeError(await trial.create({ name: branchName }), 409, CONFLICT));
      const after = await rowsOf(trial, branchName);
      trial.check(before.length === 1, `The branch was created, and the export has ${before.length} rows for it.`);
      trial.check(
        settledCells(after) === settledCells(before),
        `After the conflict the rows of the name are ${settledCells(after)}; before, they were ${settledCells(before)}.`,
      );
    },
  },
  {
    id: 'conflicts/oldest-branch',
    clauses: ['BRANCH-CREATE-409-1', 'NAME-3'],
    level: 'required',
    title: 'A name is held also after many other branches were created.',
    cost: { 'first create': 1 },
    when: 'last',
    run: async (trial) => {
      const { branchName } = await oldestBranch(trial);
      trial.demand(judgeError(await trial.create({ name: branchName }), 409, CONFLICT));
    },
  },
  {
    id: 'conflicts/second-account',
    clauses: ['BRANCH-CREATE-409-1', 'NAME-3'],
    level: 'required',
    title: 'A name is held for the whole workspace, whichever account created the branch.',
    needs: ['second account'],
    cost: { 'first create': 2, 'second create': 2 },
    run: async (trial) => {
      const as = trial.session.secondAccount;
      if (as === undefined) return;
      const mine = await trial.created();
      trial.demand(judgeError(await trial.create({ name: mine.branchName }, { as }), 409, CONFLICT));
      const theirs = await trial.created(trial.name(), { as });
      trial.demand(judgeError(await trial.create({ name: theirs.branchName }), 409, CONFLICT));
    },
  },
  {
    id: 'conflicts/race',
    clauses: ['BRANCH-CREATE-409-1', 'BRANCH-CREATE-409-2', 'NAME-3', 'EXPORT-ROWS-1'],
    level: 'required',
    title: 'Of several requests for one name at the same time one is answered with 201, every other with 409.',
    cost: { 'first create': RIVALS, 'first export': 1 },
    when: 'first',
    run: async (trial) => {
      const name = trial.name();
      const { account, secondAccount = account } = trial.session;
      const rivals = Array.from({ length: RIVALS }, (_, index) => (index % 2 === 0 ? account : secondAccount));
      const lanes = rivals.map((as) => trial.session.lane(as, 'create'));
      const answers = await trial.together(lanes, (index) =>
        trial.create({ name }, { unpaced: true, as: rivals[index] ?? account }),
      );
      const created = answers.filter(({ status }) => status === 201);
      trial.check(created.length === 1, `${created.length} of ${RIVALS} requests for one name were answered with 201.`);
      const problems = answers.flatMap((answer) =>
        answer.status === 201 ? judgeCreated(answer, name).problems : judgeError(answer, 409, CONFLICT),
      );
      trial.demand([...new Set(problems)]);
      const rows = await rowsOf(trial, name);
      trial.check(rows.length === 1, `The export has ${rows.length} rows with the name ${name}.`);
    },
  },
  held('Draft'),
  held('ReadyForReview'),
  held('Approved'),
  free('Closed'),
  free('Merged'),
];

const SETTLED: readonly Column[] = ['branchId', 'branchName', 'branchCreatorId', 'creationDate', 'branchStatus'];

/** Those that nothing changes meanwhile; what stands in others is not shown before something happens. */
function settledCells(rows: readonly Row[]): string {
  return JSON.stringify(rows.map((row) => SETTLED.map((column) => row[column])));
}

async function rowsOf(trial: Trial, name: string): Promise<Row[]> {
  return (await trial.exported())
    .rows()
    .filter(({ branchName }) => branchName === name)
    .toArray();
}
