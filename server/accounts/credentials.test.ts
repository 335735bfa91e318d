// @module-tag both-engines
import { beforeEach, describe, expect } from 'vitest';
import type { ListedApiKey } from './api-keys.ts';
import { ApiKeys } from './api-keys.ts';
import { test } from '../branches/testing/database.ts';
import { WorkspaceGone } from '../storage/workspace-gone.ts';
import type { Storage } from '../storage/storage.ts';
import { TEST_HASHER } from '../storage/testing/workspaces.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { endWorkspace } from './workspace-end.ts';
import { MOST_CREDENTIALS, TooManyCredentials } from './credential-limit.ts';
import { SCOPES, type Session } from './principals.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { addSignedInAdmin } from './testing/signed-in-admin.ts';

let now: number;
let ids: number;
beforeEach(() => {
  now = 1_000;
  ids = 0;
});

/** Both stores, called alike. */
function storesOf(storage: Storage) {
  // Ids against the order of time, so that neither stands for the other.
  const newId = () => `id-${String(99_999 - (ids += 1))}`;
  const dependencies = { storage, hasher: TEST_HASHER, clock: () => now, newId };
  const accounts = new ServiceAccounts(dependencies);
  const keys = new ApiKeys(dependencies);
  const email = 'ci@example.com';
  const account = { label: 'ci', email, scopes: SCOPES, ratePerSecond: null, rateEnforcement: null };
  return {
    service_accounts: {
      create: async (workspaceId: string, by?: Session) => {
        const { account: created } = await accounts.create({ ...account, workspaceId }, by);
        return { id: created.accountId, subject: created.name };
      },
      list: async (workspaceId: string, after: readonly [number, string] | undefined, limit: number) =>
        (await accounts.list(workspaceId, after, limit)).map(({ accountId, createdAt }) => [createdAt, accountId]),
      delete: (workspaceId: string, id: string, by?: Session) => accounts.delete(workspaceId, id, by),
    },
    api_keys: {
      create: async (workspaceId: string, by?: Session) => {
        const { key } = await keys.create({ workspaceId, source: 'shop', samplingRate: 1 }, by);
        return { id: key.keyId, subject: `shop (${key.keyId})` };
      },
      list: async (workspaceId: string, after: readonly [number, string] | undefined, limit: number) =>
        (await keys.list(workspaceId, after, limit)).map(({ keyId, createdAt }: ListedApiKey) => [createdAt, keyId]),
      delete: (workspaceId: string, id: string, by?: Session) => keys.delete(workspaceId, id, by),
    },
  };
}

const ACTS = {
  service_accounts: ['serviceAccountCreated', 'serviceAccountDeleted'],
  api_keys: ['apiKeyCreated', 'apiKeyDeleted'],
} as const;

const auditLines = ({ db }: Storage) =>
  db
    .selectFrom('audit_lines')
    .select(['happened_at', 'actor_id', 'actor_email', 'act', 'subject'])
    .where('workspace_id', '=', 'demo')
    .orderBy('line_id')
    .execute();

describe.for(['service_accounts', 'api_keys'] as const)('%s', (kind) => {
  test('are listed by age, then id, page by page, and of one workspace only', async ({ storage }) => {
    const { create, list } = storesOf(storage)[kind];
    for (const at of [3, 1, 2, 2, 2]) {
      now = at;
      await create('demo');
      await create('other');
    }
    const all = await list('demo', undefined, 10);
    expect(all.map(([createdAt]) => createdAt)).toEqual([1, 2, 2, 2, 3]);
    expect(all).toEqual(all.toSorted(([a = 0, x = ''], [b = 0, y = '']) => Number(a) - Number(b) || (x < y ? -1 : 1)));
    const walked: (typeof all)[number][] = [];
    for (let after: readonly [number, string] | undefined; walked.length < 5;) {
      const page = await list('demo', after, 2);
      walked.push(...page);
      const [createdAt, id] = page.at(-1) ?? [];
      after = [Number(createdAt), String(id)];
    }
    expect(walked).toEqual(all);
  });

  test('leave a line in the audit log when they are created and deleted, by whom and when', async ({ storage }) => {
    const store = storesOf(storage)[kind];
    const [created, deleted] = ACTS[kind];
    const { id, subject } = await store.create('demo', await addSignedInAdmin(storage, 'demo'));
    now = 2_000;
    expect(await store.delete('demo', id)).toBe(true);
    expect(await auditLines(storage)).toEqual([
      { happened_at: 1_000, actor_id: 'user-1', actor_email: 'ada@example.com', act: created, subject },
      { happened_at: 2_000, actor_id: null, actor_email: null, act: deleted, subject },
    ]);
  });

  test('are not deleted, nor said to be, when there is none or it is of another workspace', async ({ storage }) => {
    const store = storesOf(storage)[kind];
    const { id } = await store.create('other');
    const ada = await addSignedInAdmin(storage, 'demo');
    for (const unknown of [id, 'nothing']) expect(await store.delete('demo', unknown, ada)).toBe(false);
    expect(await store.list('other', undefined, 10)).toHaveLength(1);
    expect(await auditLines(storage)).toEqual([]);
  });

  test('leave no bucket of their rate limit behind when they are deleted, and those of others alone', async ({
    storage,
  }) => {
    const store = storesOf(storage)[kind];
    const [gone, kept] = [await store.create('demo'), await store.create('demo')];
    const limiter = storage.rateLimiter(() => now);
    const mayGoOn = async ({ id }: { id: string }) =>
      (await limiter.take({ workspaceId: 'demo', holderId: id, operation: 'a' }, { perSecond: 0.00001 })).withinLimit;
    expect([await mayGoOn(gone), await mayGoOn(kept)]).toEqual([true, true]);
    await store.delete('demo', gone.id);
    expect([await mayGoOn(gone), await mayGoOn(kept)]).toEqual([true, false]);
  });

  test('are neither created nor deleted when that can not be written into the log', async ({ storage }) => {
    const store = storesOf(storage)[kind];
    const { id } = await store.create('demo');
    await storage.db.schema.dropTable('audit_lines').execute();
    await expect(store.create('demo')).rejects.toThrow('audit_lines');
    await expect(store.delete('demo', id)).rejects.toThrow('audit_lines');
    expect(await store.list('demo', undefined, 10)).toEqual([[1_000, id]]);
  });

  test('are at most 1,000 of a workspace, however many are created at once', async ({ storage }) => {
    const store = storesOf(storage)[kind];
    await fill(storage, kind, MOST_CREDENTIALS - 1);
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => store.create('demo')));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(11);
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(TooManyCredentials);
    expect(refusals[0]).toMatchObject({ message: expect.stringMatching(/already has 1000 .*the most it can have/) });
    await store.create('other');
    expect(await auditLines(storage)).toHaveLength(1);
  });

  test('are not written for a workspace that has ended', async ({ storage }) => {
    const store = storesOf(storage)[kind];
    const { id } = await store.create('demo');
    await endWorkspace(storage, 'demo', 5);
    await expect(store.create('demo')).rejects.toThrow(WorkspaceGone);
    await expect(store.delete('demo', id)).rejects.toThrow(WorkspaceGone);
  });
});

async function fill(storage: Storage, kind: 'service_accounts' | 'api_keys', count: number): Promise<void> {
  const common = { workspace_id: 'demo', secret_hash: 'hash', created_at: 1 };
  const numbers = Array.from({ length: count }, (_, index) => `filled-${index}`);
  const { db } = ofTest(storage);
  if (kind === 'api_keys') {
    const rows = numbers.map((key_id) => ({
      ...common,
      key_id,
      source: 'shop',
      sampling_rate: 1,
      batches: 0,
      libraries: '[]',
    }));
    await db.insertInto('api_keys').values(rows).execute();
    return;
  }
  const rows = numbers.map((name) => ({ ...common, account_id: name, name, email: 'ci@example.com', scopes: '[]' }));
  await db.insertInto('service_accounts').values(rows).execute();
}
