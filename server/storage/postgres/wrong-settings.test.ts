import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { administer, newDatabase, type TestDatabase } from '../testing/databases.ts';
import { errorOf } from '../testing/error-of.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import type { Storage } from '../storage.ts';
import { openPostgres } from './database.ts';

let database: TestDatabase;
let url: string;
let storage: Storage;

beforeEach(async () => {
  database = await newDatabase();
  url = database.location.databaseUrl ?? '';
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** Has a server make its connections anew, with what the database is set to. */
async function makeAnew(name: string, setting: string): Promise<void> {
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'branchline'`;
  await administer(url, `alter database ${name} set ${setting}`, end);
}

const backend = async (): Promise<number | undefined> =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(storage.db)).rows[0]?.pid;

it.each<[string, string]>([
  ['another schema', 'search_path = pg_catalog'],
  ['read-only transactions', 'default_transaction_read_only = on'],
])('replaces a connection that was made with %s a second later, when it fails again', async (_what, setting) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  storage = ofTest(await openPostgres(url, { connections: 1, exportConnections: 1 }));
  const name = new URL(url).pathname.slice(1);
  await makeAnew(name, setting);
  const write = (id: string) => {
    const workspace = { workspace_id: id, hash_key_id: 'k', created_at: 1 };
    return errorOf(storage.write((tx) => tx.insertInto('workspaces').values(workspace).execute()));
  };
  // The first meets the end of the connection.
  await expect.poll(async () => String(await write('a'))).toMatch(/read-only|does not exist/);
  const reset = `alter database ${name} reset ${setting.split(' ')[0] ?? ''}`;
  await administer(url, 'set default_transaction_read_only = off', reset);
  const wrong = await backend();
  expect(await write('b')).toBeInstanceOf(Error);
  expect(await backend()).toBe(wrong);
  vi.advanceTimersByTime(1_001);
  expect(await write('c')).toBeInstanceOf(Error);
  expect(await write('d')).toBeUndefined();
});

it('is not ready while the role ends statements sooner than any can be relied on to end, and is once it does not', async () => {
  storage = ofTest(await openPostgres(url, { connections: 1, exportConnections: 1 }));
  const name = new URL(url).pathname.slice(1);
  await makeAnew(name, "statement_timeout = '99ms'");
  await expect
    .poll(async () => String(await errorOf(storage.ping())))
    .toMatch(/after 99 ms: .* statement_timeout .*Reset it/);
  await makeAnew(name, "statement_timeout = '100ms'");
  await expect.poll(() => errorOf(storage.ping())).toBeUndefined();
});

it.each<[string, RegExp]>([
  [
    'search_path = nowhere',
    /can't be used \(.*no schema has been selected.*\)\. No schema of the role's search_path is there/,
  ],
  ['default_transaction_read_only = on', /can't be used \(.*read-only transaction\)\. It lets nothing be written/],
])('says at a start with %s what to set', async (setting, sentence) => {
  const fresh = await newDatabase({ empty: true });
  onTestFinished(() => fresh.remove());
  const freshUrl = fresh.location.databaseUrl ?? '';
  await administer(url, `alter database ${new URL(freshUrl).pathname.slice(1)} set ${setting}`);
  await expect(openPostgres(freshUrl)).rejects.toThrow(sentence);
  storage = await openPostgres(url);
});
