import { buildPath } from '../../engine/http/path.ts';
import { encodeBasic } from '../account.ts';
import type { ServiceCase } from '../case.ts';
import type { Answer } from '../../engine/http/client.ts';
import { parseObject, checkStatus } from '../documented.ts';
import type { Status } from '../seeding.ts';
import type { ServiceContext } from '../context.ts';

const decided = (
  id: string,
  clauses: [string, ...string[]],
  title: string,
  cost: ServiceCase['cost'],
  run: (context: ServiceContext) => Promise<void>,
): ServiceCase => ({ id: `profile/${id}`, clauses, level: 'profile', title, needs: ['profile'], cost, run });

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
export const profileBranches: readonly ServiceCase[] = [
  ...WAYS.map(({ steps, refused }) =>
    decided(
      `life-${steps.join('-')}`,
      ['PROFILE-TRANSITIONS-1', 'PROFILE-VERSIONS-1'],
      `A Draft becomes ${steps.join(', ')}${refused ? ': the last step is refused with 409' : ''}.`,
      { 'first create': 1, 'first changeBranchStatus': steps.length },
      async (context) => {
        const { branchId } = await context.createBranch();
        for (const [index, status] of steps.entries()) {
          const expected = refused && index === steps.length - 1 ? 409 : 200;
          context.demand(checkStatus(await change(context, branchId, status), expected));
        }
      },
    ),
  ),
  decided(
    'same-status',
    ['PROFILE-TRANSITIONS-2'],
    'The status that a branch has is no change, and 200.',
    { 'first create': 1, 'first changeBranchStatus': 1 },
    async (context) => {
      const { branchId } = await context.createBranch();
      context.demand(checkStatus(await change(context, branchId, 'Draft'), 200));
    },
  ),
  decided(
    'reopened-name-taken',
    ['PROFILE-TRANSITIONS-1', 'PROFILE-OPEN-1'],
    'A closed branch can be opened again only while its name is free.',
    { 'first create': 2, 'first changeBranchStatus': 2 },
    async (context) => {
      const closed = await context.createInStatus('Closed');
      await context.createBranch(closed.branchName);
      context.demand(checkStatus(await change(context, closed.branchId, 'Draft'), 409));
    },
  ),
  decided(
    'acting-user',
    ['PROFILE-ACTING-1'],
    'The user that a request names stands in the branch.',
    { 'first create': 1, 'first changeBranchStatus': 1 },
    async (context) => {
      const { branchId } = await context.createBranch();
      const answer = await change(context, branchId, 'ReadyForReview', { userEmail: 'ada@people.example' });
      context.demand(fieldProblems(answer, 'markedReadyForReviewerUserEmail', 'ada@people.example'));
    },
  ),
  decided(
    'first-review',
    ['PROFILE-LOG-1'],
    'The first ReadyForReview never changes.',
    { 'first create': 1, 'first changeBranchStatus': 3 },
    async (context) => {
      const { branchId } = await context.createBranch();
      await change(context, branchId, 'ReadyForReview', { userEmail: 'ada@people.example' });
      await change(context, branchId, 'Draft');
      const answer = await change(context, branchId, 'ReadyForReview', { userEmail: 'grace@people.example' });
      context.demand(fieldProblems(answer, 'markedReadyForReviewerUserEmail', 'ada@people.example'));
    },
  ),
  decided(
    'helpers-and-publications',
    ['PROFILE-MANAGE-1'],
    'Helpers and publications stand in the branch.',
    { 'first create': 1, 'first addCollaborator': 1, 'first recordPublication': 1, 'first getBranch': 1 },
    async (context) => {
      const { branchId } = await context.createBranch();
      const collaboratorEmail = '"Hopper, Grace"@people.example';
      context.demand(checkStatus(await manage(context, branchId, 'POST', 'collaborators', { collaboratorEmail }), 200));
      context.demand(checkStatus(await manage(context, branchId, 'POST', 'publications', {}), 200));
      const branch = await manage(context, branchId, 'GET', '');
      context.demand(fieldProblems(branch, 'collaborators', [collaboratorEmail]));
      const row = (await context.exportTable()).rows().find((one) => one.branchId === branchId);
      context.check(
        row?.collaborators === JSON.stringify([collaboratorEmail]),
        `The export has the collaborators ${row?.collaborators}.`,
      );
      context.check(row?.lastPublishedDate !== '', 'The export has no lastPublishedDate.');
    },
  ),
];

function change(
  context: ServiceContext,
  branchId: string,
  branchStatus: Status,
  more: { userEmail?: string } = {},
): Promise<Answer> {
  return manage(context, branchId, 'PUT', 'status', { branchStatus, ...more });
}

const OPERATIONS: Record<string, string> = {
  status: 'changeBranchStatus',
  collaborators: 'addCollaborator',
  publications: 'recordPublication',
  '': 'getBranch',
};

/** An operation of the profile on a branch. */
function manage(
  context: ServiceContext,
  branchId: string,
  method: string,
  part: string,
  body?: object,
): Promise<Answer> {
  const { workspace, account } = context.session;
  const path = ['workspaces', workspace, 'branches', branchId, ...(part === '' ? [] : [part]), 'v1'];
  return context.send({
    method,
    path: buildPath(...path),
    lane: context.session.lane(account, OPERATIONS[part] ?? part),
    headers: [
      ['authorization', encodeBasic(account)],
      ...(body === undefined ? [] : ([['content-type', 'application/json']] satisfies [string, string][])),
    ],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function fieldProblems(answer: Answer, field: string, expected: unknown): string[] {
  const body = parseObject(answer);
  if ('problem' in body) return [body.problem];
  const [is, must] = [JSON.stringify(body.fields[field]), JSON.stringify(expected)];
  return is === must ? [] : [`"${field}" must be ${must}, but is ${is}.`];
}
