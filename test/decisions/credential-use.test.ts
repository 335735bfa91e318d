// @module-tag both-engines
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStorage } from '../../server/storage/open.ts';
import { newDatabase } from '../../server/storage/testing/databases.ts';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { expectError } from '../support/expect-error.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';

/** The row "Use of accounts and keys" of docs/decisions.md, "Accounts", over HTTP. */

const DAY = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;

let now = DAY;
let server: TestServer;
let viewer: SignedIn;
let admin: SignedIn;

beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
});
afterAll(() => server.close());
beforeEach(async () => {
  now = DAY;
  // The sessions of people end, whose clock the tests put back and forth.
  viewer = await server.signIn('viewer');
  admin = await server.signIn('admin');
});

async function createKey(source: string): Promise<{ keyId: string; text: string }> {
  const { key, text } = await server.administration.keys.create({ workspaceId: 'shop', source, samplingRate: 1 });
  return { keyId: key.keyId, text };
}

async function keyListed(keyId: string): Promise<unknown> {
  const path = `${server.workspacePath}/api-keys/v1?limit=200`;
  const answer = await server.call({ path, as: null, headers: { cookie: viewer.cookie } });
  return (answer.json() as { apiKeys: { keyId: string }[] }).apiKeys.find((key) => key.keyId === keyId);
}

async function accountListed(accountId: string): Promise<unknown> {
  const path = `${server.workspacePath}/service-accounts/v1?limit=200`;
  const answer = await server.call({ path, as: null, headers: { cookie: admin.cookie } });
  const { serviceAccounts } = answer.json() as { serviceAccounts: { accountId: string }[] };
  return serviceAccounts.find((account) => account.accountId === accountId);
}

const send = (text: string, json: unknown) =>
  server.call({ method: 'POST', path: '/inspector/batches/v1', as: null, headers: { 'api-key': text }, json });

const library = { name: 'inspector', version: '1.0', platform: 'android' };
const viewed = () => batchOf([eventReport('Viewed', [])], { library });
const at = (time: number) => new Date(time).toISOString();

describe('Use of accounts and keys', () => {
  it('a key says when it was last used, how many batches came today, and from which versions of the library', async () => {
    const { keyId, text } = await createKey('used');
    expect(await keyListed(keyId)).toMatchObject({ lastUsedDate: null, batchesToday: 0, libraries: [] });
    await send(text, viewed());
    now += HOUR_MS;
    await send(text, batchOf([eventReport('Viewed', [])], { library: { ...library, version: '1.1' } }));
    expect(await keyListed(keyId)).toMatchObject({
      lastUsedDate: at(DAY + HOUR_MS),
      batchesToday: 2,
      libraries: [
        { ...library, version: '1.1', lastUsedDate: at(DAY + HOUR_MS) },
        { ...library, lastUsedDate: at(DAY) },
      ],
    });
  });

  it('a batch that came before and one whose events are all refused are counted, one against the contract is only a use', async () => {
    const { keyId, text } = await createKey('odd');
    const twice = viewed();
    await send(text, twice);
    await send(text, twice);
    const { json } = await send(text, batchOf([{ nothing: 'right' }], { library }));
    expect(json()).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
    expect(await keyListed(keyId)).toMatchObject({ batchesToday: 3 });
    now += 1_000;
    expectError(await send(text, { no: 'batch' }), 400);
    expect(await keyListed(keyId)).toMatchObject({ lastUsedDate: at(DAY + 1_000), batchesToday: 3 });
  });

  it('what is counted begins anew at midnight UTC, and a version of the library is forgotten after 30 days', async () => {
    const { keyId, text } = await createKey('daily');
    now = DAY + 24 * HOUR_MS - 1;
    await send(text, viewed());
    expect(await keyListed(keyId)).toMatchObject({ batchesToday: 1 });
    now += 1;
    expect(await keyListed(keyId)).toMatchObject({ batchesToday: 0, libraries: [library] });
    await send(text, batchOf([eventReport('Viewed', [])], { library: { ...library, version: '2.0' } }));
    expect(await keyListed(keyId)).toMatchObject({ batchesToday: 1, libraries: [{ version: '2.0' }, library] });
    now += 30 * 24 * HOUR_MS - 1;
    viewer = await server.signIn('viewer');
    expect(await keyListed(keyId)).toMatchObject({
      lastUsedDate: at(DAY + 24 * HOUR_MS),
      libraries: [{ version: '2.0' }],
    });
  });

  it('an account says when its secret was last proven, with whatever outcome, and by no wrong one', async () => {
    const account = await server.createAccount(['inspector:read']);
    const call = (secret: string) =>
      server.call({ path: `${server.workspacePath}/inspector/budget/v1`, as: { ...account, secret } });
    expectError(await call('wrong'), 401, 'Unauthorized');
    expect(await accountListed(account.accountId)).toMatchObject({ lastUsedDate: null });
    now += 7;
    expect((await call(account.secret)).status).toBe(200);
    expect(await accountListed(account.accountId)).toMatchObject({ lastUsedDate: at(DAY + 7) });
    now += 7;
    expect((await server.call({ path: `${server.workspacePath}/branches/v1`, as: account })).status).toBe(403);
    expect(await accountListed(account.accountId)).toMatchObject({ lastUsedDate: at(DAY + 14) });
  });

  it('is written once a minute, and when the server stops', async () => {
    const { location, remove } = await newDatabase();
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const other = await startTestServer({ clock: () => now, database: { location, remove: async () => {} } });
    // Straight from the database, as another server would read it.
    const storage = await openStorage(location);
    const counted = async () => {
      const columns = ['batches', 'last_used_at'] as const;
      const { db } = ofTest(storage);
      const keys = db.selectFrom('api_keys').select(columns).where('workspace_id', '=', 'shop');
      const accounts = db.selectFrom('service_accounts').select('last_used_at');
      const account = await accounts.where('workspace_id', '=', 'shop').executeTakeFirst();
      return [await keys.executeTakeFirst(), account];
    };
    const use = async () => {
      await other.call({
        method: 'POST',
        path: '/inspector/batches/v1',
        as: null,
        headers: { 'api-key': other.apiKey },
        json: viewed(),
      });
      await other.call({ path: `${other.workspacePath}/branches/v1` });
    };
    await use();
    expect(await counted()).toEqual([{ batches: 0, last_used_at: null }, { last_used_at: null }]);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await expect.poll(counted).toEqual([{ batches: 1, last_used_at: DAY }, { last_used_at: DAY }]);
    now += 1_000;
    await use();
    await other.close();
    expect(await counted()).toEqual([{ batches: 2, last_used_at: DAY + 1_000 }, { last_used_at: DAY + 1_000 }]);
    await storage.close();
    await remove();
  });
});
