import type { ServiceCase } from '../case.ts';
import type { Answer } from '../../engine/http/client.ts';
import { CONFLICT, checkCreated, checkError } from '../documented.ts';
import type { Row } from '../export-table.ts';
import { gatherEvidence } from '../evidence.ts';
import type { Status } from '../seeding.ts';
import type { ServiceContext } from '../context.ts';

const VALID_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Another run may be under way, with branches of its own. */
const OF_A_RUN = /^case-/;
/** A name that another branch has too is soon found out. */
const MOST_LOOKED_AT = 20;

const held = (status: Status): ServiceCase => ({
  id: `found/${status}-holds-its-name`,
  clauses: ['PROFILE-OPEN-1'],
  level: 'profile',
  title: `The name of a branch that was ${status} before the run can't be had.`,
  cost: { 'first create': 1 },
  when: 'last',
  run: async (context) => {
    const row = (await listFound(context, status))[0] ?? context.skip(explainNone(status));
    const problems = checkError(await askForName(context, row), 409, CONFLICT);
    if (problems.length > 0 && (await isUnchanged(context, row))) context.demand(problems);
  },
});

const free = (status: Status): ServiceCase => ({
  id: `found/${status}-frees-its-name`,
  clauses: ['PROFILE-OPEN-1'],
  level: 'profile',
  title: `The name of a branch that was ${status} before the run is free, unless another branch has it by now.`,
  cost: { 'first create': 1 },
  when: 'last',
  run: async (context) => {
    const found = await listFound(context, status);
    if (found.length === 0) context.skip(explainNone(status));
    const { table } = await gatherEvidence(context);
    const isAlone = (name: string): boolean =>
      table
        .rows()
        .filter(({ branchName }) => branchName === name)
        .take(2)
        .toArray().length === 1;
    const row = found.slice(0, MOST_LOOKED_AT).find(({ branchName }) => isAlone(branchName));
    // A name that two branches have was free when the second was created.
    if (row === undefined) return;
    const { problems } = checkCreated(await askForName(context, row), row.branchName);
    if (problems.length > 0 && (await isUnchanged(context, row))) context.demand(problems);
  },
});

/** What can be learned from branches that the workspace had before, where nothing can put one into a status. */
export const foundBranches: readonly ServiceCase[] = [
  held('Draft'),
  held('ReadyForReview'),
  held('Approved'),
  free('Closed'),
  free('Merged'),
];

/** The branches in a status that this run has not created, those with the shortest names first. */
async function listFound(context: ServiceContext, status: Status): Promise<Row[]> {
  const { table } = await gatherEvidence(context);
  const ours = idsOfRun(context);
  return table
    .rows()
    .filter(({ branchName }) => VALID_NAME.test(branchName) && !OF_A_RUN.test(branchName))
    .filter(({ branchId, branchStatus }) => branchStatus === status && !ours.has(branchId))
    .toArray()
    .toSorted((a, b) => a.branchName.length - b.branchName.length);
}

function idsOfRun({ session }: ServiceContext): Set<string> {
  return new Set(session.branches.map(({ branchId }) => branchId));
}

/** Asks for the name of a branch; what a name could be when that was created may be refused by now. */
async function askForName(context: ServiceContext, { branchName }: Row): Promise<Answer> {
  const answer = await context.create({ name: branchName });
  if (answer.status === 400) context.skip(`The name ${branchName} is refused with 400 by now.`);
  return answer;
}

/** Whether the branch is as it was, and no other client has created one of its name. */
async function isUnchanged(context: ServiceContext, { branchId, branchName, branchStatus }: Row): Promise<boolean> {
  const ours = idsOfRun(context);
  const namesakes = (await context.exportTable())
    .rows()
    .filter((row) => row.branchName === branchName && !ours.has(row.branchId))
    .toArray();
  return namesakes.length === 1 && namesakes[0]?.branchId === branchId && namesakes[0].branchStatus === branchStatus;
}

function explainNone(status: Status): string {
  return `Before the run the workspace had no branch that is ${status}.`;
}
