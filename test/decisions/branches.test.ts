// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { type Call, type Credentials, startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md, "Branches", over HTTP, under their names. */

let server: TestServer;
let branchesPath: string;

beforeAll(async () => {
  server = await startTestServer();
  branchesPath = `${server.workspacePath}/branches/v1`;
});
afterAll(() => server.close());

const create = (name: unknown, as?: Credentials | null) =>
  server.call({ method: 'POST', path: branchesPath, json: { name }, ...(as === undefined ? {} : { as }) });

async function created(name: string): Promise<{ branchId: string; branchName: string; branchUrl: string }> {
  const answer = await create(name);
  expect(answer.status, answer.text).toBe(201);
  return JSON.parse(answer.text);
}

const setStatus = (branchId: string, branchStatus: string, userEmail?: string) =>
  server.call({
    method: 'PUT',
    path: `${server.workspacePath}/branches/${branchId}/status/v1`,
    json: { branchStatus, userEmail },
  });

it('Open branch: an open one holds its name, an ended one frees it', async () => {
  const { branchId } = await created('held');
  for (const status of ['ReadyForReview', 'Approved']) {
    expectError(await create('held'), 409, 'Branch with this name already exists');
    expect((await setStatus(branchId, status)).status).toBe(200);
  }
  expectError(await create('held'), 409, 'Branch with this name already exists');
  expect((await setStatus(branchId, 'Merged')).status).toBe(200);
  const second = await created('held');
  expect((await setStatus(second.branchId, 'Closed')).status).toBe(200);
  await created('held');
});

describe('Transitions', () => {
  const paths: Record<string, string[]> = {
    Draft: [],
    ReadyForReview: ['ReadyForReview'],
    Approved: ['ReadyForReview', 'Approved'],
    Merged: ['ReadyForReview', 'Approved', 'Merged'],
    Closed: ['Closed'],
  };
  const allowed: Record<string, string[]> = {
    Draft: ['ReadyForReview', 'Closed'],
    ReadyForReview: ['Draft', 'Approved', 'Closed'],
    Approved: ['ReadyForReview', 'Draft', 'Merged', 'Closed'],
    Merged: [],
    Closed: ['Draft'],
  };
  const pairs = Object.keys(paths).flatMap((from) => Object.keys(paths).map((to): [string, string] => [from, to]));

  it.each(pairs)('from %s to %s', async (from, to) => {
    const { branchId } = await created(`from-${from}-to-${to}`.toLowerCase());
    for (const step of paths[from] ?? []) expect((await setStatus(branchId, step)).status).toBe(200);
    const answer = await setStatus(branchId, to);
    const fits = from === to || allowed[from]?.includes(to);
    if (!fits) return expectError(answer, 409);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toMatchObject({ branchId, branchStatus: to });
  });

  it('a closed branch is reopened only while its name is free', async () => {
    const { branchId } = await created('reopen');
    await setStatus(branchId, 'Closed');
    const other = await created('reopen');
    expectError(await setStatus(branchId, 'Draft'), 409, 'Branch with this name already exists');
    await setStatus(other.branchId, 'Closed');
    expect((await setStatus(branchId, 'Draft')).json()).toMatchObject({ branchStatus: 'Draft' });
  });
});

it('Status seen: what somebody else has done meanwhile is not undone', async () => {
  const { branchId } = await created('seen');
  const path = `${server.workspacePath}/branches/${branchId}`;
  const change = (branchStatus: string, fromStatus: string) =>
    server.call({ method: 'PUT', path: `${path}/status/v1`, json: { branchStatus, fromStatus } });
  const activity = async () => (await server.call({ path: `${path}/activity/v1` })).text;
  expect((await change('ReadyForReview', 'Draft')).status).toBe(200);
  expect((await change('Approved', 'ReadyForReview')).status).toBe(200);
  const before = await activity();
  expectError(
    await change('Draft', 'ReadyForReview'),
    409,
    'This branch is Approved by now, not ReadyForReview, and was left as it is. Look at it again before you change it.',
  );
  expect((await change('Approved', 'ReadyForReview')).json()).toMatchObject({ branchStatus: 'Approved' });
  expect(await activity()).toBe(before);
  expectError(await change('Draft', 'Unknown'), 400);
  expect((await change('Draft', 'Approved')).status).toBe(200);
});

it('Collaborator: one person, however they are written', async () => {
  const { branchId } = await created('helped');
  const path = `${server.workspacePath}/branches/${branchId}`;
  for (const collaboratorEmail of ['Ada@Example.com', 'ada@example.com', 'grace@example.com', 'ADA@example.com']) {
    await server.call({ method: 'POST', path: `${path}/collaborators/v1`, json: { collaboratorEmail } });
  }
  expect((await server.call({ path: `${path}/v1` })).json()).toMatchObject({
    collaborators: ['Ada@Example.com', 'grace@example.com'],
  });
});

it.each([
  ' ada@example.com',
  'ada@example.com ',
  '\u00a0ada@example.com',
  'ada@example.com\u3000',
  '\ufeffada@example.com',
])('Collaborator: %j, with white space, is refused, as wherever an e-mail is given', async (email) => {
  const { branchId } = await created(
    `helped-${email.codePointAt(0)}-${email.length}-${email.codePointAt(email.length - 1)}`,
  );
  const branch = `branches/${branchId}`;
  const { cookie } = await server.signIn('admin');
  const asAdmin = { as: null, headers: { cookie } };
  const given: [string, object, Partial<Call>?][] = [
    [`${branch}/collaborators/v1`, { collaboratorEmail: email }],
    [`${branch}/publications/v1`, { userEmail: email }],
    ['users/v1', { email, role: 'viewer' }, asAdmin],
    ['service-accounts/v1', { name: 'ci', email }, asAdmin],
  ];
  for (const [what, json, as] of given) {
    const answer = await server.call({ method: 'POST', path: `${server.workspacePath}/${what}`, json, ...as });
    expectError(answer, 400);
    expect(answer.text, what).toContain('must be an e-mail address');
  }
});

it('Collaborator: 100 of a branch, and no more', async () => {
  const { branchId } = await created('helped-by-many');
  const path = `${server.workspacePath}/branches/${branchId}/collaborators/v1`;
  const add = (at: number) =>
    server.call({ method: 'POST', path, json: { collaboratorEmail: `ada-${at}@example.com` } });
  for (let at = 0; at < 100; at += 1) expect((await add(at)).status).toBe(200);
  expectError(await add(100), 409, 'This branch already has 100 collaborators, the most it can have.');
  expect((await add(99)).status).toBe(200);
});

it('Event log: the first ReadyForReview never changes', async () => {
  const { branchId } = await created('first-review');
  const first = (await setStatus(branchId, 'ReadyForReview', 'first@example.com')).json();
  await setStatus(branchId, 'Draft');
  const again = (await setStatus(branchId, 'ReadyForReview', 'second@example.com')).json();
  expect(first).toMatchObject({ markedReadyForReviewerUserEmail: 'first@example.com' });
  expect(again).toEqual(first);
});

it('Acting user: the one that is named, or else the account', async () => {
  const { branchId } = await created('acting-user');
  expect((await setStatus(branchId, 'ReadyForReview')).json()).toMatchObject({
    branchCreatorId: server.account.accountId,
    branchCreatorEmail: 'ci@example.com',
    markedReadyForReviewerUserEmail: 'ci@example.com',
  });
  await setStatus(branchId, 'Approved');
  expect((await setStatus(branchId, 'Merged', 'grace@example.com')).json()).toMatchObject({
    branchMergedUserEmail: 'grace@example.com',
  });
});

it('Versions in paths: each path of the contract ends in its version', async () => {
  const { paths } = JSON.parse((await server.call({ path: '/docs/openapi.json' })).text);
  expect(Object.keys(paths).filter((path) => !path.endsWith('/v1'))).toEqual([]);
});
