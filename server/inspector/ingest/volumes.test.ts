// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { eventVolume } from '../reports/event-volume.ts';
import { DAY_MS, HOUR_MS } from '../hours.ts';
import { settleCounts, settleForReading } from './pending-counts.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { settledEvents, settledShapes } from '../testing/settled-reports.ts';
import { dropVolumes, MOST_SERIES, MOST_SERIES_OF_ALL } from './volumes.ts';

const named = (eventName: string) => event({ eventName });

const sizeOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

describe('settling', () => {
  test('is done by itself now and then, and before a report is read', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const names = Array.from({ length: 1_000 }, (_, index) => `Event ${index}`);
    const entries = () => ofTest(storage).db.selectFrom('pending_counts').select('entry_id').execute();
    for (let round = 0; round < 4; round += 1) await ingest.take(KEY, batch(names.map(named)));
    expect((await entries()).length).toBeGreaterThan(0);
    await ingest.take(KEY, batch(names.map(named)));
    expect(await entries()).toEqual([]);
    await ingest.take(KEY, batch([named('Event 1')]));
    expect(await entries()).toHaveLength(1);
    await settleForReading(storage, 'demo');
    expect(await entries()).toEqual([]);
    expect(sizeOf((await eventVolume(storage, 'demo', {}, NOW)).total)).toBe(5_001);
  });

  test('counts once what several settle at once', async ({ storage }) => {
    const ingest = openIngest({ storage });
    for (let round = 0; round < 150; round += 1) await ingest.take(KEY, batch([named('Viewed'), named('Paid')]));
    await Promise.all([1, 2, 3, 4].map(() => settleCounts(storage, 'demo')));
    expect(sizeOf((await eventVolume(storage, 'demo', {}, NOW)).total)).toBe(300);
    expect(sizeOf((await eventVolume(storage, 'demo', { eventName: 'Paid' }, NOW)).total)).toBe(150);
    const events = await settledEvents(storage, 'demo', {});
    expect(events?.entries.map(({ count, shapes }) => [count, shapes])).toEqual([
      [150, 1],
      [150, 1],
    ]);
  });

  test('is done once for all reports of a workspace that are read at once', async ({ storage }) => {
    const ingest = openIngest({ storage });
    for (let round = 0; round < 10; round += 1) await ingest.take(KEY, batch([named('Viewed')]));
    let [writing, most] = [0, 0];
    const watched: Storage = {
      ...storage,
      write: async (work) => {
        most = Math.max(most, (writing += 1));
        return storage.write(work).finally(() => (writing -= 1));
      },
    };
    await Promise.all(Array.from({ length: 20 }, () => settleForReading(watched, 'demo')));
    expect(most).toBe(1);
    expect(sizeOf((await eventVolume(storage, 'demo', {}, NOW)).total)).toBe(10);
  });

  test('adds nothing to places where an older version had counted it already', async ({ storage }) => {
    const { db } = ofTest(storage);
    await openIngest({ storage }).take(KEY, batch([named('Viewed')]));
    await settleCounts(storage, 'demo');
    const [shape] = (await settledShapes(storage, 'demo', {}))?.entries ?? [];
    const place = { source: 'shop', app_version: '1.0', environment: 'prod', hour: Math.floor(NOW / HOUR_MS) };
    const counts = JSON.stringify([{ ...place, counts: [['Viewed', shape?.shapeId, 1, 0, 0]] }]);
    await db.insertInto('pending_counts').values({ workspace_id: 'demo', entry_id: 'old', counts }).execute();
    const [after] = (await settledShapes(storage, 'demo', {}))?.entries ?? [];
    expect(after).toEqual(shape);
    expect((await settledEvents(storage, 'demo', {}))?.entries[0]?.count).toBe(1);
    expect(sizeOf((await eventVolume(storage, 'demo', {}, NOW)).total)).toBe(2);
  });
});

test('past the bound of all sources together only the totals of each count further', async ({ storage }) => {
  const day = new Date(NOW).toISOString().slice(0, 10);
  await ofTest(storage)
    .db.insertInto('volume_days')
    .values({ workspace_id: 'demo', source: '', day, series: MOST_SERIES_OF_ALL - 4 })
    .execute();
  const ingest = openIngest({ storage });
  for (const source of ['shop', 'other']) {
    await ingest.take({ ...KEY, source }, batch([named('Viewed')]));
    await settleCounts(storage, 'demo');
  }
  const of = async (query: object) => sizeOf((await eventVolume(storage, 'demo', query, NOW)).total);
  expect(await of({})).toBe(2);
  expect(await of({ eventName: 'Viewed' })).toBe(1);
});

test('past the bound of a day only the totals count further, and those of other sources and days as before', async ({
  storage,
}) => {
  const { db } = ofTest(storage);
  const day = new Date(NOW).toISOString().slice(0, 10);
  // Room for all events, for each of two in all app versions, and for all in one version.
  await db
    .insertInto('volume_days')
    .values({ workspace_id: 'demo', source: 'shop', day, series: MOST_SERIES - 4 })
    .execute();
  const ingest = openIngest({ storage });
  await ingest.take(KEY, batch([named('Viewed'), named('Paid')]));
  await ingest.take({ ...KEY, source: 'other' }, batch([named('Viewed')]));
  await openIngest({ storage, clock: () => NOW + DAY_MS }).take(KEY, batch([named('Viewed')]));
  await settleCounts(storage, 'demo');
  const of = async (query: object) => sizeOf((await eventVolume(storage, 'demo', query, NOW + DAY_MS)).total);
  expect(await of({})).toBe(4);
  expect(await of({ eventName: 'Viewed' })).toBe(3);
  expect(await of({ eventName: 'Paid' })).toBe(1);
  expect(await of({ appVersion: '1.0' })).toBe(4);
  expect(await of({ eventName: 'Viewed', appVersion: '1.0' })).toBe(2);

  await ingest.take(KEY, batch([named('Late')]));
  await settleCounts(storage, 'demo');
  expect(await of({})).toBe(5);
  expect(await of({ eventName: 'Late' })).toBe(0);
});

test('old volume is dropped some at a time, the rest stays', async ({ storage }) => {
  const names = Array.from({ length: 700 }, (_, index) => named(`Event ${index}`));
  await openIngest({ storage, clock: () => NOW - DAY_MS }).take(KEY, batch(names));
  await openIngest({ storage }).take(KEY, batch([named('Event 1')]));
  await settleCounts(storage, 'demo');
  expect(await Array.fromAsync(dropVolumes(storage, NOW))).toHaveLength(1);
  const { db } = ofTest(storage);
  const days = async (table: 'event_volumes' | 'volume_days') =>
    new Set((await db.selectFrom(table).select('day').execute()).map((row) => row.day));
  expect(await days('event_volumes')).toEqual(new Set([new Date(NOW).toISOString().slice(0, 10)]));
  expect(await days('volume_days')).toEqual(new Set([new Date(NOW).toISOString().slice(0, 10)]));
});
