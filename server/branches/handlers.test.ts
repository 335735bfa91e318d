// @module-tag both-engines
import { ContractError } from '@branchline/runtime';
import type { FastifyRequest } from 'fastify';
import { describe, expect } from 'vitest';
import { SCOPES } from '../accounts/principals.ts';
import type { Storage } from '../storage/storage.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../storage/testing/workspaces.ts';
import { csvHeader } from './csv.ts';
import { branchHandlers } from './handlers.ts';
import { branchInvalidBody } from './invalid-body.ts';
import type { BranchStatus } from './lifecycle.ts';
import { idAt } from './testing/branches.ts';
import { test } from './testing/database.ts';

const ACCOUNT = {
  workspaceId: 'demo',
  accountId: 'account-1',
  name: 'ci',
  email: 'ci@example.com',
  scopes: SCOPES,
  ratePerSecond: null,
  rateEnforcement: null,
};
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const ISO_NOW = '2026-01-02T03:04:05.678Z';

const DRAFT = {
  branchId: idAt(1),
  branchName: 'checkout',
  branchUrl: `https://web.example/schemas/demo/branches/${idAt(1)}`,
  branchStatus: 'Draft',
  branchCreatorId: 'account-1',
  branchCreatorEmail: 'ci@example.com',
  creationDate: ISO_NOW,
  collaborators: [],
  lastPublishedDate: null,
  markedReadyForReviewDate: null,
  markedReadyForReviewerUserEmail: null,
  branchMergedDate: null,
  branchMergedUserEmail: null,
};

describe('createBranch', () => {
  test('answers with the three fields and where the branch can be read', async ({ storage }) => {
    expect(await serve(storage).create('checkout')).toEqual({
      status: 201,
      headers: { Location: `/workspaces/demo/branches/${idAt(1)}/v1` },
      body: {
        branchId: idAt(1),
        branchName: 'checkout',
        branchUrl: `https://web.example/schemas/demo/branches/${idAt(1)}`,
      },
    });
  });

  test('answers 409 in the words of the documents when an open branch has the name', async ({ storage }) => {
    const { create } = serve(storage);
    await create('checkout');
    expect(await create('checkout')).toEqual({ status: 409, body: { error: 'Branch with this name already exists' } });
  });

  test('percent-encodes the workspace in URLs', async ({ storage }) => {
    await addWorkspaces(storage, 'a/b c');
    const reply = await serve(storage, { ...ACCOUNT, workspaceId: 'a/b c' }).create('checkout');
    expect(reply).toMatchObject({
      headers: { Location: `/workspaces/a%2Fb%20c/branches/${idAt(1)}/v1` },
      body: { branchUrl: `https://web.example/schemas/a%2Fb%20c/branches/${idAt(1)}` },
    });
  });
});

describe('createBranch with an invalid body', () => {
  test.for<[string, unknown, string]>([
    ['a name that is not valid', { name: 'Checkout Events' }, 'checkout-events'],
    ['an empty name', { name: '' }, 'new-branch'],
    ['a name that is no text', { name: 123 }, 'new-branch'],
    ['no name', {}, 'new-branch'],
    ['an array', ['Checkout'], 'new-branch'],
    ['null', null, 'new-branch'],
    ['a body that could not be read', undefined, 'new-branch'],
    ['a name whose suggestion is taken', { name: 'Taken' }, 'taken-2'],
  ])('suggests another for %s', async ([, body, suggested], { storage }) => {
    const served = serve(storage);
    await served.create('taken');
    expect(await served.invalid(body)).toEqual({
      status: 400,
      body: { error: `Invalid branch name, try "${suggested}" instead` },
    });
  });
});

describe('getBranch', () => {
  test('shows all fields', async ({ storage }) => {
    const { create, get } = serve(storage);
    await create('checkout');
    expect(await get()).toEqual({ status: 200, body: DRAFT });
  });

  test('answers 404 for an unknown id and for a branch of another workspace', async ({ storage }) => {
    await serve(storage).create('checkout');
    const notFound = { status: 404, body: { error: `No branch of this workspace has the id ${idAt(1)}.` } };
    expect(await serve(storage, { ...ACCOUNT, workspaceId: 'other' }).get()).toEqual(notFound);
    expect(await serve(storage).get(idAt(2))).toMatchObject({ status: 404 });
  });
});

describe('changeBranchStatus', () => {
  test('answers with the branch as it stands, in the name of the user or else of the account', async ({ storage }) => {
    const { create, become } = serve(storage);
    await create('checkout');
    const ready = {
      ...DRAFT,
      branchStatus: 'ReadyForReview',
      markedReadyForReviewDate: ISO_NOW,
      markedReadyForReviewerUserEmail: 'ada@example.com',
    };
    expect(await become('ReadyForReview', 'ada@example.com')).toEqual({ status: 200, body: ready });
    expect(await become('ReadyForReview', 'bob@example.com')).toEqual({ status: 200, body: ready });
    expect(await become('Approved')).toMatchObject({ status: 200 });
    expect(await become('Merged')).toEqual({
      status: 200,
      body: { ...ready, branchStatus: 'Merged', branchMergedDate: ISO_NOW, branchMergedUserEmail: 'ci@example.com' },
    });
  });

  test('answers 409 to what is not allowed', async ({ storage }) => {
    const { create, become } = serve(storage);
    await create('checkout');
    expect(await become('Merged')).toEqual({
      status: 409,
      body: { error: "A Draft branch can't become Merged. From Draft it can become ReadyForReview or Closed." },
    });
  });

  test('answers 409 to reopening when the name is taken', async ({ storage }) => {
    const { create, become } = serve(storage);
    await create('checkout');
    await become('Closed');
    await create('checkout');
    expect(await become('Draft')).toEqual({ status: 409, body: { error: 'Branch with this name already exists' } });
  });

  test('answers 404 to an unknown id', async ({ storage }) => {
    expect(await serve(storage).become('Closed')).toMatchObject({ status: 404 });
  });
});

test('addCollaborator keeps them distinct, in the order in which they were added', async ({ storage }) => {
  const { create, collaborate } = serve(storage);
  await create('checkout');
  await collaborate('z@example.com');
  await collaborate('a@example.com');
  const reply = await collaborate('z@example.com');
  expect(reply).toMatchObject({ body: { collaborators: ['z@example.com', 'a@example.com'] } });
  await collaborate('Büro@example.com');
  for (const same of ['BüRO@Example.com', 'BüRo@example.COM', 'Z@example.com']) {
    expect(await collaborate(same), same).toMatchObject({
      body: { collaborators: ['z@example.com', 'a@example.com', 'Büro@example.com'] },
    });
  }
});

test('recordPublication sets the date', async ({ storage }) => {
  const { create, publish } = serve(storage);
  await create('checkout');
  expect(await publish()).toEqual({ status: 200, body: { ...DRAFT, lastPublishedDate: ISO_NOW } });
});

describe('listBranches', () => {
  test('goes through all of them page by page', async ({ storage }) => {
    const { create, list } = serve(storage);
    for (const name of ['one', 'two', 'three', 'four']) await create(name);
    const first = await list({ limit: 2 });
    expect(names(first)).toEqual(['one', 'two']);
    const second = await list({ limit: 2, cursor: cursorOf(first) });
    expect(names(second)).toEqual(['three', 'four']);
    expect(second.body).toMatchObject({ nextCursor: null });
    expect(names(await list({ limit: 1, branchStatus: ['Closed'] }))).toEqual([]);
  });

  test('holds 50 when no limit is given', async ({ storage }) => {
    const { create, list } = serve(storage);
    for (let count = 0; count <= 50; count += 1) await create(`name-${count}`);
    expect(names(await list({}))).toHaveLength(50);
  });

  test('ends a page early where the branches are large, and goes on with the next', async ({ storage }) => {
    const { create, list } = serve(storage);
    for (let count = 1; count <= 30; count += 1) await create(`name-${count}`);
    const collaborators = JSON.stringify(
      Array.from({ length: 100 }, (_, at) => `${at}`.padStart(240, 'x') + '@e.example'),
    );
    await ofTest(storage).db.updateTable('branches').set({ collaborators }).execute();
    const found: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await list({ limit: 200, ...(cursor && { cursor }) });
      expect(JSON.stringify(page.body).length).toBeLessThan(600_000);
      found.push(...names(page));
      cursor = cursorOf(page) || undefined;
    }
    expect(found).toEqual(Array.from({ length: 30 }, (_, at) => `name-${at + 1}`));
  });

  test('refuses a cursor that it has not given', async ({ storage }) => {
    expect(await serve(storage).list({ cursor: 'WzFd' })).toEqual({
      status: 400,
      body: {
        error:
          'Query parameter "cursor" must be the nextCursor of the page before, unchanged and with the same filters. Leave it out for the first page.',
      },
    });
  });

  test('takes a cursor with the same filter in any order, and none of another filter or workspace', async ({
    storage,
  }) => {
    const { create, list } = serve(storage);
    for (const name of ['one', 'two']) await create(name);
    const other = serve(storage, { ...ACCOUNT, workspaceId: 'other' });
    const cursor = cursorOf(await list({ limit: 1, branchStatus: ['Draft', 'Merged'] }));
    const again = await list({ limit: 1, branchStatus: ['Merged', 'Draft', 'Merged'], cursor });
    expect(names(again)).toEqual(['two']);
    for (const branchStatus of [undefined, ['Draft'] as const, ['Draft', 'Merged', 'Closed'] as const]) {
      const query = { cursor, ...(branchStatus && { branchStatus: [...branchStatus] }) };
      expect(await list(query)).toMatchObject({ status: 400 });
    }
    expect(await other.list({ branchStatus: ['Draft', 'Merged'], cursor })).toMatchObject({ status: 400 });
  });
});

describe('the exports', () => {
  test('answer the CSV of the workspace, filtered and defused as asked', async ({ storage }) => {
    const { create, become, csv } = serve(storage);
    await create('-one');
    await become('Closed');
    await create('two');
    expect(await csv({})).toMatch(/^branchName,.*\r\n-one,.*\r\ntwo,.*\r\n$/);
    expect(await csv({ branchStatuses: ['Closed'] })).toMatch(/^branchName,.*\r\n-one,.*\r\n$/);
    expect(await csv({ safe: 'spreadsheet' })).toMatch(/^branchName,.*\r\n'-one,.*\r\ntwo,.*\r\n$/);
    expect(await serve(storage, { ...ACCOUNT, workspaceId: 'other' }).csv({})).toBe(csvHeader());
  });

  test('name the documented path when the path of the sample was used', async ({ storage }) => {
    const { handlers, request } = serve(storage);
    const headers = { 'Content-Disposition': 'attachment; filename="branches-demo.csv"' };
    expect((await handlers.exportBranchStats(request({ query: {} }))).headers).toEqual(headers);
    expect((await handlers.exportBranchStatsFromSamplePath(request({ query: {} }))).headers).toEqual({
      ...headers,
      Link: '</workspaces/demo/branches/export/v1>; rel="canonical"',
    });
  });
});

interface ListQuery {
  branchStatus?: BranchStatus[];
  limit?: number;
  cursor?: string;
}

/** The operations as one account uses them; those on a branch are on the first one unless told otherwise. */
function serve(storage: Storage, account: typeof ACCOUNT = ACCOUNT) {
  let created = 0;
  const newId = () => idAt((created += 1));
  const handlers = branchHandlers({ storage, clock: () => NOW, newId, webHost: () => 'web.example' });
  const invalidBody = branchInvalidBody({ storage, random: () => 0 });
  const request = <Query, Body>({
    query,
    body,
    branchId = idAt(1),
  }: {
    query?: Query;
    body?: Body;
    branchId?: string;
  }) => ({
    params: { workspaceId: account.workspaceId, branchId },
    query: query as Query,
    headers: {},
    cookies: {},
    body: body as Body,
    principals: { serviceAccount: account },
    raw: {} as FastifyRequest,
  });
  return {
    handlers,
    request,
    create: (name: string) => handlers.createBranch(request({ body: { name } })),
    invalid: (body: unknown) =>
      invalidBody.createBranch?.(request({ body }), new ContractError('body', 'Whatever was wrong.')),
    get: (branchId = idAt(1)) => handlers.getBranch(request({ branchId })),
    become: (branchStatus: BranchStatus, userEmail?: string) =>
      handlers.changeBranchStatus(request({ body: { branchStatus, ...(userEmail && { userEmail }) } })),
    collaborate: (collaboratorEmail: string) => handlers.addCollaborator(request({ body: { collaboratorEmail } })),
    publish: () => handlers.recordPublication(request({ body: {} })),
    list: async (query: ListQuery) => handlers.listBranches(request({ query })),
    csv: async (query: { branchStatuses?: BranchStatus[]; safe?: 'spreadsheet' }) => {
      const reply = await handlers.exportBranchStats(request({ query }));
      if (reply.status !== 200 || typeof reply.body === 'string') throw new Error('The export was not streamed.');
      return (await Array.fromAsync(reply.body)).join('');
    },
  };
}

type ListReply = Awaited<ReturnType<ReturnType<typeof serve>['list']>>;

function names(reply: ListReply): string[] {
  return reply.status === 200 ? reply.body.branches.map(({ branchName }) => branchName) : [];
}

function cursorOf(reply: ListReply): string {
  return (reply.status === 200 && reply.body.nextCursor) || '';
}
