// @module-tag both-engines
import { beforeEach, describe, expect } from 'vitest';
import { test as base } from '../branches/testing/database.ts';
import type { Storage } from '../storage/storage.ts';
import { TEST_HASHER } from '../storage/testing/workspaces.ts';
import { ApiKeys } from './api-keys.ts';
import { CredentialUse } from './credential-use.ts';
import { SCOPES } from './principals.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { endWorkspace } from './workspace-end.ts';

const DAY = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;
const LIBRARY = { name: 'inspector', version: '1.0', platform: 'android' };

let now: number;
beforeEach(() => {
  now = DAY;
});
const clock = (): number => now;

/** A server's knowledge of what is used. */
const useOf = (storage: Pick<Storage, 'write'>): CredentialUse =>
  new CredentialUse({
    storage,
    clock,
    onFailure: (error) => {
      throw error;
    },
  });

const test = base.extend<{ keys: ApiKeys; accounts: ServiceAccounts }>({
  keys: async ({ storage }, use) => use(new ApiKeys(dependenciesOf(storage))),
  accounts: async ({ storage }, use) => use(new ServiceAccounts(dependenciesOf(storage))),
});

function dependenciesOf(storage: Storage) {
  let ids = 0;
  return { storage, hasher: TEST_HASHER, clock, newId: () => `id-${(ids += 1)}` };
}

const newKey = async (keys: ApiKeys, workspaceId = 'demo') =>
  (await keys.create({ workspaceId, source: 'shop', samplingRate: 1 })).key;

const onlyUse = async (keys: ApiKeys) => (await keys.list('demo', undefined, 10)).map(({ use }) => use);

describe('what an API key is used for', () => {
  test('is written later, as one sum', async ({ storage, keys }) => {
    const key = await newKey(keys);
    const use = useOf(storage);
    use.countBatch(key, LIBRARY);
    now += 5;
    use.countBatch(key, { ...LIBRARY, version: '2.0' });
    now += 5;
    use.countKeyRequest(key);
    expect(await onlyUse(keys)).toEqual([undefined]);
    await use.writeAll();
    expect(await onlyUse(keys)).toEqual([
      {
        lastUsedAt: DAY + 10,
        day: '2026-01-02',
        batches: 2,
        libraries: [
          { ...LIBRARY, version: '2.0', lastUsedAt: DAY + 5 },
          { ...LIBRARY, lastUsedAt: DAY },
        ],
      },
    ]);
    await use.writeAll();
    expect(await onlyUse(keys)).toMatchObject([{ batches: 2 }]);
  });

  test('is the sum of what servers have counted, in whatever order they write', async ({ storage, keys }) => {
    const key = await newKey(keys);
    const [one, other] = [useOf(storage), useOf(storage)];
    one.countBatch(key, LIBRARY);
    now += 1_000;
    other.countBatch(key, LIBRARY);
    other.countBatch(key, LIBRARY);
    await Promise.all([other.writeAll(), one.writeAll()]);
    expect(await onlyUse(keys)).toMatchObject([
      { lastUsedAt: DAY + 1_000, batches: 3, libraries: [{ lastUsedAt: DAY + 1_000 }] },
    ]);
  });

  test('begins anew at midnight UTC, and a server that is late with yesterday’s changes nothing of today’s', async ({
    storage,
    keys,
  }) => {
    const key = await newKey(keys);
    const [punctual, late] = [useOf(storage), useOf(storage)];
    now = DAY + 24 * HOUR_MS - 1;
    punctual.countBatch(key, LIBRARY);
    late.countBatch(key, LIBRARY);
    now += 1;
    punctual.countBatch(key, LIBRARY);
    await punctual.writeAll();
    await late.writeAll();
    expect(await onlyUse(keys)).toMatchObject([{ lastUsedAt: DAY + 24 * HOUR_MS, day: '2026-01-03', batches: 1 }]);
  });

  test('is counted again once a clock that was ahead is right, and its libraries come first', async ({
    storage,
    keys,
  }) => {
    const key = await newKey(keys);
    const use = useOf(storage);
    now = DAY + 3 * 24 * HOUR_MS;
    for (let version = 0; version < 10; version += 1) use.countBatch(key, { ...LIBRARY, version: `ahead-${version}` });
    await use.writeAll();
    now = DAY;
    use.countBatch(key, LIBRARY);
    now += 30_000;
    await use.writeAll();
    const [known] = await onlyUse(keys);
    expect(known).toMatchObject({ lastUsedAt: DAY, day: '2026-01-02', batches: 1 });
    expect(known?.libraries[0]).toEqual({ ...LIBRARY, lastUsedAt: DAY });
    expect(known?.libraries).toHaveLength(10);
  });

  test('names ten versions of the library, those used last', async ({ storage, keys }) => {
    const key = await newKey(keys);
    const use = useOf(storage);
    for (let version = 0; version < 30; version += 1) {
      now += 1;
      use.countBatch(key, { ...LIBRARY, version: `1.${version}` });
      if (version % 7 === 0) await use.writeAll();
    }
    await use.writeAll();
    const [{ libraries = [], batches = 0 } = {}] = await onlyUse(keys);
    expect(libraries.map(({ version }) => version)).toEqual(Array.from({ length: 10 }, (_, back) => `1.${29 - back}`));
    expect(batches).toBe(30);
  });

  test('may have names that no database stores as they are', async ({ storage, keys }) => {
    const use = useOf(storage);
    use.countBatch(await newKey(keys), { ...LIBRARY, name: 'half \ud83d of an emoji' });
    await use.writeAll();
    expect(await onlyUse(keys)).toMatchObject([{ libraries: [{ name: 'half \ufffd of an emoji' }] }]);
  });
});

test('an account was last used when it was, whoever writes last', async ({ storage, accounts }) => {
  const wanted = { label: 'ci', email: 'a@b.example', scopes: SCOPES, ratePerSecond: null, rateEnforcement: null };
  const { account } = await accounts.create({ ...wanted, workspaceId: 'demo' });
  const [early, late] = [useOf(storage), useOf(storage)];
  early.countRequest(account);
  now += 1_000;
  late.countRequest(account);
  await late.writeAll();
  await early.writeAll();
  expect(await accounts.list('demo', undefined, 10)).toMatchObject([{ lastUsedAt: DAY + 1_000 }]);
});

test('an account whose last use a clock that was ahead has noted shows the next one', async ({ storage, accounts }) => {
  const wanted = { label: 'ci', email: 'a@b.example', scopes: SCOPES, ratePerSecond: null, rateEnforcement: null };
  const { account } = await accounts.create({ ...wanted, workspaceId: 'demo' });
  const use = useOf(storage);
  for (const at of [DAY + 24 * HOUR_MS, DAY + 5]) {
    now = at;
    use.countRequest(account);
    await use.writeAll();
    expect(await accounts.list('demo', undefined, 10)).toMatchObject([{ lastUsedAt: at }]);
  }
});

test('one transaction writes for a workspace, however often its keys were used', async ({ storage, keys }) => {
  const [one, other] = [await newKey(keys), await newKey(keys)];
  let transactions = 0;
  const use = useOf({
    write(work) {
      transactions += 1;
      return storage.write(work);
    },
  });
  for (let batch = 0; batch < 1_000; batch += 1) use.countBatch(batch % 2 === 0 ? one : other, LIBRARY);
  await use.writeAll();
  await use.writeAll();
  expect(transactions).toBe(1);
  expect(await onlyUse(keys)).toMatchObject([{ batches: 500 }, { batches: 500 }]);
});

test('what can not be written now is kept for the next time', async ({ storage, keys }) => {
  const key = await newKey(keys);
  let away = true;
  const use = useOf({
    async write(work) {
      if (away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      return storage.write(work);
    },
  });
  use.countBatch(key, LIBRARY);
  await use.writeAll();
  use.countBatch(key, LIBRARY);
  away = false;
  await use.writeAll();
  expect(await onlyUse(keys)).toMatchObject([{ batches: 2 }]);
});

test('of what was deleted meanwhile nothing comes back, and the rest is written', async ({ storage, keys }) => {
  const [gone, kept] = [await newKey(keys), await newKey(keys)];
  const foreign = await newKey(keys, 'other');
  const use = useOf(storage);
  for (const key of [gone, kept, foreign]) use.countBatch(key, LIBRARY);
  await keys.delete('demo', gone.keyId);
  await endWorkspace(storage, 'other', now);
  await use.writeAll();
  expect(await onlyUse(keys)).toMatchObject([{ batches: 1 }]);
  expect((await keys.list('other', undefined, 10)).map((key) => key.use)).toEqual([undefined]);
});
