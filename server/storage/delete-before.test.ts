// @module-tag both-engines
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deleteBefore } from './delete-before.ts';
import { openStorage } from './open.ts';
import type { Storage } from './storage.ts';
import { newDatabase, type TestDatabase, testedEngine } from './testing/databases.ts';
import { ofTest } from './testing/statements-of-tests.ts';

let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await newDatabase();
  storage = await openStorage(database.location);
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** As many batches as there are times, of two workspaces in turn. */
async function addBatches(times: readonly number[]): Promise<void> {
  const { db } = ofTest(storage);
  const rows = times.map((seen_at, index) => ({
    workspace_id: index % 2 === 0 ? 'bank' : 'shop',
    source_number: 1,
    batch_id: Buffer.from(`${index}`.padStart(16, '0')),
    seen_at,
    digest: Buffer.alloc(32),
  }));
  for (let from = 0; from < rows.length; from += 500) {
    const some = rows.slice(from, from + 500);
    await db.insertInto('seen_batches').values(some).execute();
  }
}

const timesLeft = async () =>
  (await ofTest(storage).db.selectFrom('seen_batches').select('seen_at').orderBy('seen_at').execute()).map(
    (row) => row.seen_at,
  );

it.each([
  ['all at different times', (index: number) => index],
  ['most at one time', (index: number) => Math.max(0, index - 2_300)],
])('old rows of all workspaces go in steps, and no others: %s', async (_when, timeOf) => {
  const times = Array.from({ length: 2_500 }, (_, index) => timeOf(index));
  await addBatches(times);
  const bound = timeOf(2_400);
  const steps = await Array.fromAsync(
    deleteBefore(storage, { table: 'seen_batches', column: 'seen_at', before: bound }),
  );
  expect(steps).toHaveLength(2);
  expect(await timesLeft()).toEqual(times.filter((time) => time >= bound));
});

if (testedEngine() === 'postgres') {
  it('a step reads no rows of those before it, though somebody holds a snapshot in which they are', async () => {
    await addBatches(Array.from({ length: 5_000 }, (_, index) => index));
    const { db } = ofTest(storage);
    await sql`analyze seen_batches`.execute(db);
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await tx.selectFrom('workspaces').selectAll().execute();
        isHeld.resolve();
        await held.promise;
      });
    await isHeld.promise;
    const read = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const { rows } = await sql<{ read: string }>`select idx_tup_read as read from pg_stat_user_indexes
        where indexrelname = 'seen_batches_by_time'`.execute(db);
      return Number(rows[0]?.read);
    };
    const before = await read();
    await Array.fromAsync(deleteBefore(storage, { table: 'seen_batches', column: 'seen_at', before: 5_000 }));
    held.resolve();
    await holding;
    await expect.poll(read).toBeGreaterThan(before);
    expect((await read()) - before).toBeLessThan(7_000);
    expect(await timesLeft()).toEqual([]);
  });
}
