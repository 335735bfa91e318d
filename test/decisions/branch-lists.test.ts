// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchRow } from '../../server/branches/testing/rows.ts';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { expectError } from '../support/expect-error.ts';
import { type Credentials, type SignedIn, startTestServer, type TestServer } from '../support/server.ts';

/** The rows "List", "Counts" and "Activity" of docs/decisions.md, "Branches", over HTTP. */

let server: TestServer;
let person: SignedIn;
let now = 1_000;

beforeAll(async () => {
  server = await startTestServer({ clock: () => (now += 1_000) });
  person = await server.signIn('editor');
  await server.administration.workspaces.create('bank');
});
afterAll(() => server.close());

const post = (path: string, json: object, by: { cookie?: string } = {}) =>
  server.call({
    method: path.includes('/status/') ? 'PUT' : 'POST',
    path: `${server.workspacePath}/branches${path}`,
    json,
    ...(by.cookie === undefined ? {} : { as: null, headers: { cookie: by.cookie } }),
  });

async function created(name: string, by?: SignedIn): Promise<string> {
  const answer = await post('/v1', { name }, by);
  expect(answer.status, answer.text).toBe(201);
  return (answer.json() as { branchId: string }).branchId;
}

interface Page {
  branches: { branchName: string }[];
  nextCursor: string | null;
}

async function page(query: string, workspaceId = server.workspaceId, as?: Credentials): Promise<Page> {
  const path = `/workspaces/${workspaceId}/branches/v1?${query}`;
  const answer = await server.call({ path, ...(as === undefined ? {} : { as }) });
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as Page;
}

const names = async (query: string) => (await page(query)).branches.map(({ branchName }) => branchName);

describe('List', () => {
  beforeAll(async () => {
    await created('checkout');
    const cart = await created('cart-checkout', person);
    const paid = await created('paid', person);
    await created('unpaid');
    await post(`/${cart}/status/v1`, { branchStatus: 'ReadyForReview' });
    await post(`/${cart}/collaborators/v1`, { collaboratorEmail: 'ada+1@example.com' });
    await post(`/${paid}/collaborators/v1`, { collaboratorEmail: 'ada+1@example.com' });
    await post(`/${paid}/collaborators/v1`, { collaboratorEmail: 'Ada+1@example.com' });
  });

  it.each([
    ['', ['checkout', 'cart-checkout', 'paid', 'unpaid']],
    ['sort=oldest', ['checkout', 'cart-checkout', 'paid', 'unpaid']],
    ['sort=newest', ['unpaid', 'paid', 'cart-checkout', 'checkout']],
    ['text=check', ['checkout', 'cart-checkout']],
    ['text=CHECK', ['checkout', 'cart-checkout']],
    ['text=%25', []],
    ['text=_', []],
    ['collaboratorEmail=ada%2B1%40example.com', ['cart-checkout', 'paid']],
    ['collaboratorEmail=Ada%2B1%40EXAMPLE.com', ['cart-checkout', 'paid']],
    ['collaboratorEmail=da%2B1%40example.com', []],
    ['branchCreatorId=nobody', []],
    ['text=a&collaboratorEmail=ada%2B1%40example.com&sort=newest', ['paid', 'cart-checkout']],
    ['text=a&collaboratorEmail=ada%2B1%40example.com&branchStatus=Draft', ['paid']],
  ])('%j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('by who created them, a person or an account', async () => {
    expect(await names(`branchCreatorId=${person.userId}&sort=newest`)).toEqual(['paid', 'cart-checkout']);
    expect(await names(`branchCreatorId=${server.account.accountId}`)).toEqual(['checkout', 'unpaid']);
    expect(await names(`branchCreatorId=${person.userId}&branchStatus=ReadyForReview`)).toEqual(['cart-checkout']);
    expect(await names(`branchCreatorId=${person.userId}&text=d`)).toEqual(['paid']);
  });

  it('a cursor belongs to the sort and to every filter, whatever the case of the text', async () => {
    const { nextCursor } = await page('text=A&limit=1');
    expect((await page(`text=a&limit=1&sort=oldest&cursor=${nextCursor}`)).branches).toHaveLength(1);
    for (const other of [
      '',
      'text=ai',
      'text=a&sort=newest',
      'text=a&branchCreatorId=a',
      'text=a&collaboratorEmail=a@b',
    ]) {
      const path = `${server.workspacePath}/branches/v1?${other}&cursor=${nextCursor}`;
      expectError(await server.call({ path }), 400, /with the same filters/);
    }
  });

  it('a search looks at 5,000 branches a request, and its cursor goes on behind an empty page', async () => {
    const as = await server.createAccount(undefined, 'bank');
    const rows = Array.from({ length: 5_002 }, (_, index) =>
      branchRow({
        workspace_id: 'bank',
        branch_id: `id-${index}`,
        name: index >= 5_000 ? `found-${index}` : `name-${index}`,
        created_at: index,
      }),
    );
    const tests = ofTest(server.administration.storage);
    for (let start = 0; start < rows.length; start += 500) {
      const some = rows.slice(start, start + 500);
      await tests.write((tx) => tx.insertInto('branches').values(some).execute());
    }
    const first = await page('text=found', 'bank', as);
    expect(first).toEqual({ branches: [], nextCursor: expect.any(String) });
    const second = await page(`text=found&cursor=${first.nextCursor}`, 'bank', as);
    expect(second).toMatchObject({ branches: [{ branchName: 'found-5000' }, { branchName: 'found-5001' }] });
    expect(second.nextCursor).toBeNull();
    const newest = await page('text=found&sort=newest', 'bank', as);
    expect(newest).toMatchObject({ branches: [{ branchName: 'found-5001' }, { branchName: 'found-5000' }] });
  });
});

it('Counts: the branches of each status, 10,001 for more than 10,000, and none of another workspace', async () => {
  await server.administration.workspaces.create('full');
  const as = await server.createAccount(['branches:export'], 'full');
  const counts = async () => (await server.call({ path: '/workspaces/full/branches/counts/v1', as })).json();
  expect(await counts()).toEqual({ counts: { Draft: 0, ReadyForReview: 0, Approved: 0, Merged: 0, Closed: 0 } });
  const { db } = ofTest(server.administration.storage);
  for (let start = 0; start < 10_500; start += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => {
      const id = `id-${start + index}`;
      return branchRow({ workspace_id: 'full', branch_id: id, name: id, status: start < 10_000 ? 'Merged' : 'Closed' });
    });
    await db.insertInto('branches').values(rows).execute();
  }
  const filled = { Draft: 0, ReadyForReview: 0, Approved: 0, Merged: 10_000, Closed: 500 };
  expect(await counts()).toEqual({ counts: filled });
  await db
    .insertInto('branches')
    .values(
      [1, 2].map((id) => branchRow({ workspace_id: 'full', branch_id: `more-${id}`, name: 'more', status: 'Merged' })),
    )
    .execute();
  expect(await counts()).toEqual({ counts: { ...filled, Merged: 10_001 } });
});

describe('Activity', () => {
  it('is all that happened to a branch, oldest first, page by page', async () => {
    const branchId = await created('lively', person);
    await post(`/${branchId}/collaborators/v1`, { collaboratorEmail: 'ada@example.com' });
    await post(`/${branchId}/publications/v1`, { userEmail: 'grace@example.com' });
    await post(`/${branchId}/status/v1`, { branchStatus: 'ReadyForReview' }, person);
    const path = `${server.workspacePath}/branches/${branchId}/activity/v1`;
    const { activity, nextCursor } = (await server.call({ path })).json() as { activity: object[]; nextCursor: null };
    const date = expect.stringMatching(/^1970-01-01T\d\d:\d\d:\d\d\.\d{3}Z$/);
    const byPerson = { date, actorId: person.userId, actorEmail: person.email };
    const byAccount = { date, actorId: server.account.accountId, actorEmail: 'ci@example.com' };
    expect(activity).toEqual([
      { ...byPerson, sequence: 1, happened: 'created', branchName: 'lively' },
      { ...byAccount, sequence: 2, happened: 'collaboratorAdded', collaboratorEmail: 'ada@example.com' },
      { ...byAccount, sequence: 3, happened: 'published', actorEmail: 'grace@example.com' },
      { ...byPerson, sequence: 4, happened: 'statusChanged', branchStatus: 'ReadyForReview' },
    ]);
    expect(nextCursor).toBeNull();

    const first = (await server.call({ path: `${path}?limit=3` })).json() as { nextCursor: string };
    expect(first).toMatchObject({ activity: activity.slice(0, 3) });
    const second = await server.call({ path: `${path}?limit=3&cursor=${first.nextCursor}` });
    expect(second.json()).toEqual({ activity: activity.slice(3), nextCursor: null });
  });

  it.each([5, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    'is none behind a changed position: %i',
    async (sequence) => {
      const branchId = await created(`changed-${sequence}`);
      await post(`/${branchId}/publications/v1`, { userEmail: 'grace@example.com' });
      const path = `${server.workspacePath}/branches/${branchId}/activity/v1`;
      const { nextCursor } = (await server.call({ path: `${path}?limit=1` })).json() as { nextCursor: string };
      const [mark] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as [string];
      const cursor = Buffer.from(JSON.stringify([mark, sequence])).toString('base64url');
      const answer = await server.call({ path: `${path}?cursor=${cursor}` });
      expect([answer.status, answer.json()]).toEqual([200, { activity: [], nextCursor: null }]);
    },
  );

  it('of an unknown branch, or one of another workspace, is 404', async () => {
    const branchId = await created('hidden');
    const banker = await server.createAccount(undefined, 'bank');
    for (const [workspaceId, id, as] of [
      ['bank', branchId, banker],
      [server.workspaceId, 'nothing', server.account],
    ] as const) {
      const answer = await server.call({ path: `/workspaces/${workspaceId}/branches/${id}/activity/v1`, as });
      expectError(answer, 404, `No branch of this workspace has the id ${id}.`);
    }
  });
});
