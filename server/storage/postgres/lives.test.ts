import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { requireLiveWorkspace } from '../live-workspace.ts';
import { openStorage } from '../open.ts';
import type { Storage } from '../storage.ts';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { newPostgres } from '../testing/databases.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { keepCopy } from '../testing/step-back.ts';
import { addWorkspaces } from '../testing/workspaces.ts';

/** What ends a life of the database, and what does not. */

let cluster: Cluster;
let storage: Storage;
let location: Parameters<typeof keepCopy>[0];

beforeAll(async () => {
  cluster = await startCluster({ durable: true, statementLogs: inject('statementLogs') });
  ({ location } = await newPostgres(cluster.url));
  storage = await openStorage(location);
  await addWorkspaces(storage, 'demo', 'other');
});

afterAll(async () => {
  await storage.close();
  await cluster.remove();
});

/** As soon as it can be read. */
async function life(): Promise<string> {
  let read = '';
  const look = async () => (read = await storage.write((tx) => requireLiveWorkspace(tx, 'demo')));
  await expect.poll(() => look().catch(() => ''), { timeout: 120_000 }).not.toBe('');
  return read;
}

it('goes on, whatever is written, analyzed or connected anew', async () => {
  const before = await life();
  const { db } = ofTest(storage);
  await db.updateTable('workspaces').set({ created_at: 2 }).execute();
  await sql`vacuum analyze workspaces`.execute(db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  expect(await life()).toBe(before);
});

it('ends when a copy takes the place of the database', async () => {
  const before = await life();
  const copy = await keepCopy(location);
  expect(await life()).toBe(before);
  await copy.putBack();
  expect(await life()).not.toBe(before);
});

it('ends with the server', async () => {
  const before = await life();
  await cluster.crash();
  await cluster.start();
  expect(await life()).not.toBe(before);
});

it('ends with a crash that the server outlives, which loses what was committed asynchronously', async () => {
  const before = await life();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ofTest(storage).db);
  process.kill(rows[0]?.pid ?? Number.NaN, 'SIGKILL');
  await expect.poll(life).not.toBe(before);
});
