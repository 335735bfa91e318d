import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deleteRows } from '../delete-rows.ts';
import type { Storage } from '../storage.ts';
import { newDatabase, type TestDatabase } from '../testing/databases.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { addWorkspaces } from '../testing/workspaces.ts';
import { openPostgres } from './database.ts';

const ROWS = 40_000;

let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await newDatabase();
  storage = await openPostgres(database.location.databaseUrl ?? '');
  await addWorkspaces(storage, 'big', 'other');
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** Of one event, so that the first column of the key tells none of the rows from another. */
async function addNames(workspaceId: string, count: number): Promise<void> {
  await sql`insert into issue_names (workspace_id, event_key, folded_key, name)
    select ${workspaceId}, 'event', md5(i::text), 'name' from pg_catalog.generate_series(1, ${count}::int) as i`.execute(
    ofTest(storage).db,
  );
}

async function count(): Promise<Record<string, number>> {
  const { rows } = await sql<{ workspace_id: string; count: number }>`
    select workspace_id, count(*)::int as count from issue_names group by workspace_id order by workspace_id`.execute(
    ofTest(storage).db,
  );
  return Object.fromEntries(rows.map((row) => [row.workspace_id, row.count]));
}

/** What sessions have told so far, which they do some time after a transaction. */
async function readStatistics(): Promise<{ written: number; indexPages: number; rowsOfScans: number }> {
  const { rows } = await sql<{ written: number; indexPages: number; rowsOfScans: number }>`
    select (n_tup_ins + n_tup_del)::int as written, (idx_blks_hit + idx_blks_read)::int as "indexPages",
      seq_tup_read::int as "rowsOfScans"
    from pg_catalog.pg_stat_user_tables join pg_catalog.pg_statio_user_tables using (relid)
    where relid = 'issue_names'::regclass`.execute(ofTest(storage).db);
  return rows[0] ?? { written: 0, indexPages: 0, rowsOfScans: 0 };
}

it('never scans a table, and reads each page of an index a few times, however many rows a workspace has', async () => {
  await addNames('big', ROWS);
  await addNames('other', 10);
  await sql`analyze issue_names`.execute(ofTest(storage).db);
  const written = async () => (await readStatistics()).written;
  await expect.poll(written, { timeout: 20_000 }).toBe(ROWS + 10);
  const before = await readStatistics();
  for await (const deleted of deleteRows(storage, 'big', ['issue_names'])) expect(deleted).toBeLessThanOrEqual(1_000);
  expect(await count()).toEqual({ other: 10 });
  await expect.poll(written, { timeout: 20_000 }).toBe(2 * ROWS + 10);
  const { indexPages, rowsOfScans } = await readStatistics();
  expect(rowsOfScans - before.rowsOfScans).toBeLessThan(ROWS / 10);
  expect(indexPages - before.indexPages).toBeLessThan(ROWS / 10);
});

it('leaves out no row that somebody has changed meanwhile', async () => {
  await addNames('big', 2_000);
  const held = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  const changing = ofTest(storage).write(async (tx) => {
    await sql`update issue_names set name = 'other' where workspace_id = 'big' and folded_key < '8'`.execute(tx);
    changed.resolve();
    await held.promise;
  });
  await changed.promise;
  const deleting = (async () => {
    for await (const _ of deleteRows(storage, 'big', ['issue_names']));
  })();
  const waits = async () => {
    const { rows } = await sql`select 1 from pg_catalog.pg_locks where not granted`.execute(ofTest(storage).db);
    return rows.length;
  };
  await expect.poll(waits).toBeGreaterThan(0);
  held.resolve();
  await Promise.all([changing, deleting]);
  expect(await count()).toEqual({});
});
