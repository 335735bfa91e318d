// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { HOUR_MS } from '../hours.ts';
import type { ObservedShapeRow } from '../tables.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { watchJson } from '../testing/json-work.ts';
import { readsInTurns } from '../testing/reads-in-turns.ts';
import { watchTransactions } from '../testing/transactions.ts';
import { eventVolume } from '../reports/event-volume.ts';
import { settleCounts, settleForReading, settleMeanwhile } from './pending-counts.ts';

const NAMES = 500;

/** What 128 counts change, and what is put back of as many as one page of entries has. */
const MOST_VALUES = 16_000;
const MOST_CHARACTERS = 512 * 1024;

/** Of entries at a time: 256 KiB, and as many more for the quotes in them. */
const MOST_READ = 384 * 1024;

/** Of two entries that came in one turn of the event loop: two pieces may be done in it. */
const MOST_PARSED = 160 * 1024;

const named = () => Array.from({ length: NAMES }, (_, index) => event({ eventName: `Event ${index}` }));

/** Leaves counts of many events pending, of each two. */
async function leavePending(storage: Storage): Promise<void> {
  const ingest = openIngest({ storage, maxGroupWeight: 100_000 });
  for (const version of ['1.0', '2.0']) await ingest.take(KEY, batch(named(), { version }));
  await ingest.close();
}

/** Writes counts of as many events a number of times. */
async function repeatPending(storage: Storage): Promise<void> {
  const { db } = ofTest(storage);
  const shapes = await db
    .selectFrom('observed_shapes')
    .select(['event_key', 'shape_id'])
    .where('app_version', '=', '1.0')
    .execute();
  const counts = writtenOf(shapes);
  const rows = Array.from({ length: 40 }, (_, index) => ({ workspace_id: 'demo', entry_id: `again ${index}`, counts }));
  await db.insertInto('pending_counts').values(rows).execute();
}

/** What an older version wrote, which had counted it in places already. */
function writtenOf(shapes: readonly Pick<ObservedShapeRow, 'event_key' | 'shape_id'>[]): string {
  const counts = shapes.map(({ event_key, shape_id }) => [event_key, shape_id, 3, 0, 0]);
  return JSON.stringify([
    { source: 'shop', app_version: '1.0', environment: 'prod', hour: Math.floor(NOW / HOUR_MS), counts },
  ]);
}

async function volumeOf(storage: Storage, query: object = {}): Promise<number> {
  const { total } = await eventVolume(storage, 'demo', query, NOW);
  return total.reduce((sum, count) => sum + count, 0);
}

async function expectEachCountedOnce(storage: Storage): Promise<void> {
  const { db } = ofTest(storage);
  expect(await volumeOf(storage)).toBe(2 * NAMES);
  expect(await volumeOf(storage, { eventName: `Event ${NAMES - 1}` })).toBe(2);
  for (const table of ['observed_events', 'observed_shapes'] as const) {
    const rows = await db.selectFrom(table).select('count').execute();
    expect(rows.map(({ count }) => count)).toEqual(Array.from({ length: 2 * NAMES }, () => 1));
  }
  const shapes = await db.selectFrom('source_shapes').select('count').execute();
  expect(shapes.map(({ count }) => count)).toEqual(Array.from({ length: NAMES }, () => 2));
  const totals = await db.selectFrom('event_totals').select('count').where('event_key', '=', '').execute();
  expect(totals).toEqual([{ count: 2 * NAMES }]);
  expect(await db.selectFrom('pending_counts').select('entry_id').execute()).toEqual([]);
}

describe('what many events have pending', () => {
  test('is settled in transactions that each write little', async ({ storage }) => {
    await leavePending(storage);
    const watched = watchTransactions(storage);
    await settleForReading(watched.storage, 'demo');
    for (const { values, characters } of watched.transactions) {
      expect(values).toBeLessThan(MOST_VALUES);
      expect(characters).toBeLessThan(MOST_CHARACTERS);
    }
    await expectEachCountedOnce(storage);
  });

  test('is read and summed in turns, of which there is one before each transaction', async ({ storage }) => {
    await leavePending(storage);
    await repeatPending(storage);
    const watched = watchTransactions(storage);
    const turns = await readsInTurns(storage, () => settleCounts(watched.storage, 'demo'));
    expect(turns.length).toBeGreaterThan(watched.transactions.length);
    for (const { characters } of turns) expect(characters).toBeLessThan(MOST_READ);
    await repeatPending(storage);
    const { charactersParsed, mostBetweenTurns } = await watchJson(() => settleCounts(storage, 'demo'));
    expect(charactersParsed).toBeGreaterThan(2 * MOST_READ);
    expect(mostBetweenTurns).toBeLessThan(MOST_PARSED);
  });

  test('is settled in transactions that wait three times for answers, for nobody else writes meanwhile', async ({
    storage,
  }) => {
    await leavePending(storage);
    const watched = watchTransactions(storage);
    await settleCounts(watched.storage, 'demo');
    expect(watched.transactions.length).toBeGreaterThan(0);
    for (const { waits } of watched.transactions) expect(waits).toBeLessThanOrEqual(3);
  });

  test('is settled once, where several do at once', async ({ storage }) => {
    await leavePending(storage);
    await Promise.all([1, 2, 3].map(() => settleCounts(storage, 'demo')));
    await expectEachCountedOnce(storage);
  });

  test.for([0, 1, 5])(
    'is settled once, where it ends after %i transactions and goes on later',
    async (most, { storage }) => {
      await leavePending(storage);
      let begun = 0;
      const ending: Storage = {
        ...storage,
        write: (work) =>
          storage.write(async (tx) => {
            const result = await work(tx);
            if ((begun += 1) > most) throw new Error('It ends.');
            return result;
          }),
      };
      await expect(settleCounts(ending, 'demo')).rejects.toThrow('It ends.');
      await settleForReading(storage, 'demo');
      await expectEachCountedOnce(storage);
    },
  );

  test('stays pending once nobody wants it settled', async ({ storage }) => {
    await leavePending(storage);
    let wanted = 2;
    await expect(settleMeanwhile(storage, 'demo', () => (wanted -= 1) >= 0)).rejects.toThrow('gone');
    await settleForReading(storage, 'demo');
    await expectEachCountedOnce(storage);
  });
});

test('what an older version had counted in places is added to no place, however much it is', async ({ storage }) => {
  await leavePending(storage);
  await settleCounts(storage, 'demo');
  await repeatPending(storage);
  await settleCounts(storage, 'demo');
  const { count } = await ofTest(storage)
    .db.selectFrom('observed_events')
    .select(({ fn }) => fn.sum<number>('count').as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(2 * NAMES);
  expect(await volumeOf(storage)).toBe(2 * NAMES + 40 * 3 * NAMES);
});
