import { pathOf } from '../../engine/http/path.ts';
import { basic } from '../account.ts';
import type { SuiteCase } from '../../engine/case.ts';
import type { Answer } from '../../engine/http/client.ts';
import { objectOf, statusProblem } from '../documented.ts';
import type { Status } from '../seeding.ts';
import type { Trial } from '../context.ts';

const decided = (
  id: string,
  clauses: [string, ...string[]],
  title: string,
  cost: SuiteCase['cost'],
  run: (trial: Trial) => Promise<void>,
): SuiteCase => ({ id: `profile/${id}`, clauses, level: 'profile', title, needs: ['profile'], cost, run });

/** Ways through a branch's life; where the last step must be refused, `refused` is true. */
const WAYS: readonly { steps: readonly [Status, ...Status[]]; refused: boolean }[] = [
  { steps: ['ReadyForReview', 'Draft', 'ReadyForReview', 'Approved', 'ReadyForReview'], refused: false },
  { steps: ['ReadyForReview', 'Approved', 'Draft', 'Closed', 'Draft'], refused: false },
  { steps: ['Approved'], refused: true },
  { steps: ['Merged'], refused: true },
  { steps: ['ReadyForReview', 'Approved', 'Merged', 'Draft'], refused: true },
  { steps: ['ReadyForReview', 'Approved', 'Merged', 'Closed'], refused: true },
  { steps: ['Closed', 'ReadyForReview'], refused: true },
];

/** Decisions about a branch's life. */
export const profileBranches: readonly SuiteCase[] = [
  ...WAYS.map(({ steps, refused }) =>
    decided(
      `life-${steps.join('-')}`,
      ['PROFILE-TRANSITIONS-1', 'PROFILE-VERSIONS-1'],
      `A Draft becomes ${steps.join(', ')}${refused ? ': the last step is refused with 409' : ''}.`,
      { 'first create': 1, 'first changeBranchStatus': steps.length },
      async (trial) => {
        const { branchId } = await trial.created();
        for (const [index, status] of steps.entries()) {
          const expected = refused && index === steps.length - 1 ? 409 : 200;
          trial.demand(statusProblem(await change(trial, branchId, status), expected));
        }
      },
    ),
  ),
  decided(
    'same-status',
    ['PROFILE-TRANSITIONS-2'],
    'The status that a branch has is no change, and 200.',
    { 'first create': 1, 'first changeBranchStatus': 1 },
    async (trial) => {
      const { branchId } = await trial.created();
      trial.demand(statusProblem(await change(trial, branchId, 'Draft'), 200));
    },
  ),
  decided(
    'reopened-name-taken',
    ['PROFILE-TRANSITIONS-1', 'PROFILE-OPEN-1'],
    'A closed branch can be opened again only while its name is free.',
    { 'first create': 2, 'first changeBranchStatus': 2 },
    async (trial) => {
      const closed = await trial.seeded('Closed');
      await trial.created(closed.branchName);
      trial.demand(statusProblem(await change(trial, closed.branchId, 'Draft'), 409));
    },
  ),
  decided(
    'acting-user',
    ['PROFILE-ACTING-1'],
    'The user that a request names stands in the branch.',
    { 'first create': 1, 'first changeBranchStatus': 1 },
    async (trial) => {
      const { branchId } = await trial.created();
      const answer = await change(trial, branchId, 'ReadyForReview', { userEmail: 'ada@people.example' });
      trial.demand(fieldProblems(answer, 'markedReadyForReviewerUserEmail', 'ada@people.example'));
    },
  ),
  decided(
    'first-review',
    ['PROFILE-LOG-1'],
    'The first ReadyForReview never changes.',
    { 'first create': 1, 'first changeBranchStatus': 3 },
    async (trial) => {
      const { branchId } = await trial.created();
      await change(trial, branchId, 'ReadyForReview', { userEmail: 'ada@people.example' });
      await change(trial, branchId, 'Draft');
      const answer = await change(trial, branchId, 'ReadyForReview', { userEmail: 'grace@people.example' });
      trial.demand(fieldProblems(answer, 'markedReadyForReviewerUserEmail', 'ada@people.example'));
    },
  ),
  decided(
    'helpers-and-publications',
    ['PROFILE-MANAGE-1'],
    'Helpers and publications stand in the branch.',
    { 'first create': 1, 'first addCollaborator': 1, 'first recordPublication': 1, 'first getBranch': 1 },
    async (trial) => {
      const { branchId } = await trial.created();
      const collaboratorEmail = '"Hopper, Grace"@people.example';
      trial.demand(statusProblem(await manage(trial, branchId, 'POST', 'collaborators', { collaboratorEmail }), 200));
      trial.demand(statusProblem(await manage(trial, branchId, 'POST', 'publications', {}), 200));
      const branch = await manage(trial, branchId, 'GET', '');
      trial.demand(fieldProblems(branch, 'collaborators', [collaboratorEmail]));
      const row = (await trial.exported()).rows().find((one) => one.branchId === branchId);
      trial.check(
        row?.collaborators === JSON.stringify([collaboratorEmail]),
        `The export has the collaborators ${row?.collaborators}.`,
      );
      trial.check(row?.lastPublishedDate !== '', 'The export has no lastPublishedDate.');
    },
  ),
];

function change(
  trial: Trial,
  branchId: string,
  branchStatus: Status,
  more: { userEmail?: string } = {},
): Promise<Answer> {
  return manage(trial, branchId, 'PUT', 'status', { branchStatus, ...more });
}

const OPERATIONS: Record<string, string> = {
  status: 'changeBranchStatus',
  collaborators: 'addCollaborator',
  publications: 'recordPublication',
  '': 'getBranch',
};

/** An operation of the profile on a branch. */
function manage(trial: Trial, branchId: string, method: string, part: string, body?: object): Promise<Answer> {
  const { workspace, account } = trial.session;
  const path = ['workspaces', workspace, 'branches', branchId, ...(part === '' ? [] : [part]), 'v1'];
  return trial.send({
    method,
    path: pathOf(...path),
    lane: trial.session.lane(account, OPERATIONS[part] ?? part),
    headers: [
      ['authorization', basic(account)],
      ...(body === undefined ? [] : ([['content-type', 'application/json']] satisfies [string, string][])),
    ],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function fieldProblems(answer: Answer, field: string, expected: unknown): string[] {
  const body = objectOf(answer);
  if ('problem' in body) return [body.problem];
  const [is, must] = [JSON.stringify(body.fields[field]), JSON.stringify(expected)];
  return is === must ? [] : [`"${field}" must be ${must}, but is ${is}.`];
}
