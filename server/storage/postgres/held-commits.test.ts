import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openPostgres } from './database.ts';
import type { Storage } from '../storage.ts';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { administer, newPostgres } from '../testing/databases.ts';
import { errorOf } from '../testing/error-of.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { isUnavailable } from '../transient-errors.ts';

/** A database whose commits wait for a standby that is gone. */

const RELOAD = 'select pg_reload_conf()';

let cluster: Cluster;
let storage: Storage;

beforeAll(async () => {
  cluster = await startCluster({
    settings: { synchronous_commit: 'on' },
    statementLogs: inject('statementLogs'),
  });
  const { location } = await newPostgres(cluster.url, { patient: false });
  // As a role that owns the database and may do nothing else.
  const url = new URL(location.databaseUrl ?? '');
  await administer(
    cluster.url,
    "create role app login password 'secret'",
    `alter database ${url.pathname.slice(1)} owner to app`,
  );
  await administer(url.href, 'grant all on all tables in schema public to app');
  url.username = 'app';
  storage = ofTest(await openPostgres(url.href, { statementMs: 500, graceMs: 100, cancelMs: 500 }));
});

afterAll(async () => {
  await storage.close();
  await cluster.remove();
});

let rows = 0;
const write = () => {
  rows += 1;
  const row = { workspace_id: `w${rows}`, hash_key_id: 'k', created_at: 1 };
  return storage.write((tx) => tx.insertInto('workspaces').values(row).execute());
};

it('does not count as ready once a commit was not answered, until another one is', async () => {
  await write();
  await administer(cluster.url, "alter system set synchronous_standby_names = 'gone'", RELOAD);
  await expect.poll(() => errorOf(write())).toSatisfy(isUnavailable);
  for (let looks = 0; looks < 3; looks += 1) expect(await errorOf(storage.ping())).toBeInstanceOf(Error);
  await administer(cluster.url, 'alter system reset all', RELOAD);
  await expect.poll(() => storage.ping()).toBeUndefined();
  await write();
});

it('is unavailable, and not ready, where the wait for the standby was cancelled, though the commit was done', async () => {
  await administer(cluster.url, "alter system set synchronous_standby_names = 'gone'", RELOAD);
  await expect.poll(() => errorOf(storage.ping())).toBeUndefined();
  const writing = errorOf(write());
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
  await expect.poll(async () => (await client.query(cancel)).rowCount, { interval: 10 }).toBe(1);
  await client.end();
  expect(String(await writing)).toContain('without its synchronous standby');
  expect(await errorOf(storage.ping())).toBeInstanceOf(Error);
  await administer(cluster.url, 'alter system reset all', RELOAD);
  await expect.poll(() => storage.ping()).toBeUndefined();
  await write();
});
