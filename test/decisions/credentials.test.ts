// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { expectError } from '../support/expect-error.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';

/** The row "Service accounts and API keys" of docs/decisions.md, "Accounts", over HTTP. */

let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  await server.administration.workspaces.create('bank');
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

const KINDS = {
  'service-accounts': { list: 'serviceAccounts', id: 'accountId', json: { name: 'ci', email: 'ci@example.com' } },
  'api-keys': { list: 'apiKeys', id: 'keyId', json: { source: 'shop' } },
} as const;

type Kind = keyof typeof KINDS;

const pathOf = (kind: Kind, id?: string) => `${server.workspacePath}/${kind}/${id === undefined ? '' : `${id}/`}v1`;

const create = (kind: Kind, json: object = KINDS[kind].json, { cookie }: Pick<SignedIn, 'cookie'> = admin) =>
  server.call({ method: 'POST', path: pathOf(kind), as: null, headers: { cookie }, json });

const list = (kind: Kind, query = '', { cookie }: Pick<SignedIn, 'cookie'> = admin) =>
  server.call({ path: `${pathOf(kind)}${query}`, as: null, headers: { cookie } });

const remove = (kind: Kind, id: string, { cookie }: Pick<SignedIn, 'cookie'> = admin) =>
  server.call({ method: 'DELETE', path: pathOf(kind, id), as: null, headers: { cookie } });

interface Created {
  serviceAccount: { accountId: string; name: string };
  secret: string;
  apiKey: { keyId: string };
  text: string;
}

describe('Service accounts and API keys', () => {
  it('an account works as it was created, is listed without its secret, and is unknown once deleted', async () => {
    const json = { name: 'nightly', email: 'n@example.com', scopes: ['branches:export'], requestsPerSecond: 2.5 };
    const created = await create('service-accounts', { ...json, enforcement: 'hard' });
    expect(created.status, created.text).toBe(201);
    const { serviceAccount, secret } = created.json() as Created;
    expect(serviceAccount).toEqual({
      accountId: expect.any(String),
      name: expect.stringMatching(/^nightly-[a-z2-7]{8}$/),
      email: 'n@example.com',
      scopes: ['branches:export'],
      requestsPerSecond: 2.5,
      enforcement: 'hard',
      createdDate: expect.any(String),
      lastUsedDate: null,
    });
    const use = () => server.call({ path: `${server.workspacePath}/branches/v1`, as: { ...serviceAccount, secret } });
    expect((await use()).status).toBe(200);
    const listed = await list('service-accounts', '?limit=200');
    expect(listed.json()).toMatchObject({
      serviceAccounts: expect.arrayContaining([{ ...serviceAccount, lastUsedDate: expect.any(String) }]),
    });
    expect(listed.text).not.toContain(secret);
    expect(await remove('service-accounts', serviceAccount.accountId)).toMatchObject({ status: 204, text: '' });
    expectError(await use(), 401, 'Unauthorized');
    expectError(
      await remove('service-accounts', serviceAccount.accountId),
      404,
      /No service account of this workspace/,
    );
  });

  it('an account has all scopes and the limits of the server where nothing is said', async () => {
    expect((await create('service-accounts')).json()).toMatchObject({
      serviceAccount: {
        scopes: ['branches:create', 'branches:export', 'branches:manage', 'inspector:read'],
        requestsPerSecond: null,
        enforcement: null,
      },
    });
  });

  it('a key works as it was created, is listed without its text, and is unknown once deleted', async () => {
    const created = await create('api-keys', { source: 'shop', samplingRate: 0.5 });
    expect(created.status, created.text).toBe(201);
    const { apiKey, text } = created.json() as Created;
    expect(apiKey).toEqual({
      keyId: expect.any(String),
      source: 'shop',
      samplingRate: 0.5,
      createdDate: expect.any(String),
      lastUsedDate: null,
      batchesToday: 0,
      libraries: [],
    });
    const send = () =>
      server.call({
        method: 'POST',
        path: '/inspector/batches/v1',
        as: null,
        headers: { 'api-key': text },
        json: batchOf([eventReport('Viewed', [])]),
      });
    expect((await send()).json()).toMatchObject({ accepted: 1 });
    const listed = await list('api-keys', '?limit=200');
    const used = { lastUsedDate: expect.any(String), batchesToday: 1, libraries: [expect.any(Object)] };
    expect(listed.json()).toMatchObject({ apiKeys: expect.arrayContaining([{ ...apiKey, ...used }]) });
    expect(listed.text).not.toContain(text.slice(-43));
    expect((await remove('api-keys', apiKey.keyId)).status).toBe(204);
    expectError(await send(), 401, 'Unauthorized');
    expectError(await remove('api-keys', apiKey.keyId), 404, /No API key of this workspace/);
  });

  it.each(['service-accounts', 'api-keys'] as const)('pages of %s hold each once, oldest first', async (kind) => {
    for (const _ of [1, 2, 3]) await create(kind);
    const all = entries(kind, await list(kind, '?limit=200'));
    const walked: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(kind, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      walked.push(...entries(kind, page));
      cursor = (page.json() as { nextCursor: string | null }).nextCursor;
    }
    expect(walked).toEqual(all);
    const dates = all.map(({ createdDate }) => createdDate);
    expect(dates).toEqual(dates.toSorted());
  });

  it.each(['service-accounts', 'api-keys'] as const)(
    '%s of another workspace are seen and deleted by nobody',
    async (kind) => {
      const banker = await server.signIn('admin', 'bank');
      const { list: name, id } = KINDS[kind];
      const [first] = entries(kind, await list(kind));
      expectError(await list(kind, '', banker), 401, 'Unauthorized');
      const path = `/workspaces/bank/${kind}/${String(first?.[id])}/v1`;
      const answer = await server.call({ method: 'DELETE', path, as: null, headers: { cookie: banker.cookie } });
      expectError(answer, 404);
      const own = await server.call({
        path: `/workspaces/bank/${kind}/v1`,
        as: null,
        headers: { cookie: banker.cookie },
      });
      expect(own.json()).toEqual({ [name]: [], nextCursor: null });
      expect(entries(kind, await list(kind))).toContainEqual(first);
    },
  );

  it('are listed in pages that end early where keys have many versions of libraries with long names', async () => {
    const { administration, workspaceId } = server;
    const library = { name: '\u0001'.repeat(100), platform: '\u0001'.repeat(100), lastUsedAt: Date.now() };
    const libraries = Array.from({ length: 10 }, (_, version) => ({
      ...library,
      version: `${version}`.padStart(100, '\u0001'),
    }));
    const made = new Set<string>();
    for (let count = 0; count < 40; count += 1) {
      made.add((await administration.keys.create({ workspaceId, source: 'long', samplingRate: 1 })).key.keyId);
    }
    await ofTest(administration.storage)
      .db.updateTable('api_keys')
      .set({ libraries: JSON.stringify(libraries), last_used_at: Date.now() })
      .where('workspace_id', '=', workspaceId)
      .where('source', '=', 'long')
      .execute();
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const page = await list('api-keys', `?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.text.length).toBeLessThan(300_000);
      const { apiKeys, nextCursor } = page.json() as { apiKeys: { keyId: string }[]; nextCursor: string | null };
      for (const { keyId } of apiKeys) made.delete(keyId);
      cursor = nextCursor;
    }
    expect(pages).toBeGreaterThan(2);
    expect(made).toEqual(new Set());
  });

  it('viewers see keys; all else takes an admin', async () => {
    for (const role of ['viewer', 'editor'] as const) {
      const person = await server.signIn(role);
      expect((await list('api-keys', '', person)).status).toBe(200);
      for (const answer of await Promise.all([
        list('service-accounts', '', person),
        ...(['service-accounts', 'api-keys'] as const).flatMap((kind) => [
          create(kind, KINDS[kind].json, person),
          remove(kind, 'any', person),
        ]),
      ])) {
        expectError(answer, 403, `This takes the role admin, and yours is ${role}. Ask an admin of the workspace.`);
      }
    }
  });

  it('are at most 1,000 each', async () => {
    const { db } = ofTest(server.administration.storage);
    const common = { workspace_id: 'bank', secret_hash: 'hash', created_at: 1 };
    const ids = Array.from({ length: 1_000 }, (_, index) => `filled-${index}`);
    await db
      .insertInto('api_keys')
      .values(
        ids.map((id) => ({ ...common, key_id: id, source: 'shop', sampling_rate: 1, batches: 0, libraries: '[]' })),
      )
      .execute();
    await db
      .insertInto('service_accounts')
      .values(ids.map((id) => ({ ...common, account_id: id, name: id, email: 'a@example.com', scopes: '[]' })))
      .execute();
    const { cookie } = await server.signIn('admin', 'bank');
    for (const [kind, words] of [
      ['service-accounts', 'service accounts'],
      ['api-keys', 'API keys'],
    ] as const) {
      const path = `/workspaces/bank/${kind}/v1`;
      const more = () => server.call({ method: 'POST', path, as: null, headers: { cookie }, json: KINDS[kind].json });
      expectError(
        await more(),
        409,
        `This workspace already has 1000 ${words}, the most it can have. Delete one that is not used any more.`,
      );
      const first = `/workspaces/bank/${kind}/filled-0/v1`;
      expect((await server.call({ method: 'DELETE', path: first, as: null, headers: { cookie } })).status).toBe(204);
      expect((await more()).status).toBe(201);
    }
  });

  it('leave a line in the audit log, by whom, and never a secret', async () => {
    const { serviceAccount, secret } = (await create('service-accounts')).json() as Created;
    await remove('service-accounts', serviceAccount.accountId);
    const { apiKey, text } = (await create('api-keys')).json() as Created;
    await remove('api-keys', apiKey.keyId);
    const lines = await ofTest(server.administration.storage)
      .db.selectFrom('audit_lines')
      .selectAll()
      .where('subject', 'in', [serviceAccount.name, `shop (${apiKey.keyId})`])
      .orderBy('line_id')
      .execute();
    const by = { actor_id: admin.userId, actor_email: admin.email, workspace_id: server.workspaceId };
    expect(lines).toEqual(
      [
        ['serviceAccountCreated', serviceAccount.name],
        ['serviceAccountDeleted', serviceAccount.name],
        ['apiKeyCreated', `shop (${apiKey.keyId})`],
        ['apiKeyDeleted', `shop (${apiKey.keyId})`],
      ].map(([act, subject]) => expect.objectContaining({ ...by, act, subject })),
    );
    for (const hidden of [secret, text.slice(-43)]) expect(JSON.stringify(lines)).not.toContain(hidden);
  });
});

function entries(kind: Kind, answer: { json: () => unknown }): Record<string, string>[] {
  return (answer.json() as Record<string, Record<string, string>[]>)[KINDS[kind].list] ?? [];
}
