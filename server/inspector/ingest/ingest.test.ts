// @module-tag both-engines
import { SLOT_TABLES } from './message-slots.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { BatchReceipt } from './ingest.ts';
import { batch, event, eventWith, KEY, NOW, openIngest, uuid } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { settledEvents, settledShapes } from '../testing/settled-reports.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';

const counts = ({ accepted, duplicates, rejected }: BatchReceipt) => [accepted, duplicates, rejected.length];

async function acceptedInAll(storage: Storage): Promise<number> {
  const page = await settledEvents(storage, 'demo', {});
  return page?.entries.reduce((sum, { count }) => sum + count, 0) ?? 0;
}

test('a receipt names every event once, and the sampling rate of the key', async ({ storage }) => {
  const ingest = openIngest({ storage });
  const twice = event();
  const receipt = await ingest.take(
    { ...KEY, samplingRate: 0.25 },
    batch([twice, { messageId: uuid(9) }, twice, event()]),
  );
  expect(receipt).toEqual({
    accepted: 2,
    duplicates: 1,
    rejected: [{ index: 1, messageId: uuid(9), reason: 'The item lacks the field "schema".' }],
    samplingRate: 0.25,
    unknownShapeIds: [],
  });
});

test('what is stored are names, types, counts and the times of the server', async ({ storage }) => {
  let now = NOW;
  const ingest = openIngest({ storage, clock: () => now });
  await ingest.take(KEY, batch([eventWith('a'), eventWith('b'), eventWith('a')]));
  now += 60_000;
  await ingest.take(KEY, batch([eventWith('a')]));
  const page = await settledEvents(storage, 'demo', {});
  expect(page?.entries).toEqual([
    {
      eventName: 'Viewed',
      source: 'shop',
      environment: 'prod',
      appVersion: '1.0',
      count: 4,
      shapes: 2,
      firstSeen: '2026-01-02T03:04:05.678Z',
      lastSeen: '2026-01-02T03:05:05.678Z',
    },
  ]);
});

test('a clock that was set back moves neither the first nor the last time the wrong way', async ({ storage }) => {
  let now = NOW;
  const ingest = openIngest({ storage, clock: () => now });
  for (const offset of [0, 5_000, -5_000, 1_000]) {
    now = NOW + offset;
    await ingest.take(KEY, batch([eventWith('a')]));
  }
  const page = await settledShapes(storage, 'demo', {});
  expect(page?.entries[0]).toMatchObject({
    count: 4,
    firstSeen: '2026-01-02T03:04:00.678Z',
    lastSeen: '2026-01-02T03:04:10.678Z',
  });
});

test('nothing is stored of a batch without a valid event', async ({ storage }) => {
  const receipt = await openIngest({ storage }).take(KEY, batch([5, {}]));
  expect(counts(receipt)).toEqual([0, 0, 2]);
  expect(await ofTest(storage).db.selectFrom('seen_batches').selectAll().execute()).toEqual([]);
});

test('names that are long or odd are kept as they are', async ({ storage }) => {
  const names = ['x'.repeat(1_024), `${'x'.repeat(1_023)}y`, '😀'.repeat(1_024), "'; drop table", ' ', '\u0001\n'];
  const ingest = openIngest({ storage });
  await ingest.take(KEY, batch(names.map((name) => event({ eventName: name, schema: [{ name, type: 'int' }] }))));
  const page = await settledShapes(storage, 'demo', {});
  expect(new Set(page?.entries.map(({ eventName }) => eventName))).toEqual(new Set(names));
  for (const entry of page?.entries ?? []) expect(entry.schema).toEqual([{ name: entry.eventName, type: 'int' }]);
});

describe('duplicates', () => {
  test('a message counts once in a batch, in the batches of a group, and in later ones', async ({ storage }) => {
    const ingest = openIngest({ storage, timer: setImmediate });
    const same = event();
    const receipts = await Promise.all([ingest.take(KEY, batch([same, same])), ingest.take(KEY, batch([same]))]);
    receipts.push(await ingest.take(KEY, batch([same, event()])));
    expect(receipts.map(counts)).toEqual([
      [1, 1, 0],
      [0, 1, 0],
      [1, 1, 0],
    ]);
    expect(await acceptedInAll(storage)).toBe(2);
  });

  test('an id in capitals is the same id', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const messageId = 'abcdefab-0000-4000-8000-00000000000a';
    await ingest.take(KEY, batch([event({ messageId })]));
    expect(counts(await ingest.take(KEY, batch([event({ messageId: messageId.toUpperCase() })])))).toEqual([0, 1, 0]);
  });

  test('another source or workspace may use the same id', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const same = event();
    await ingest.take(KEY, batch([same]));
    expect(counts(await ingest.take({ ...KEY, source: 'other' }, batch([same])))).toEqual([1, 0, 0]);
    expect(counts(await ingest.take({ ...KEY, workspaceId: 'other' }, batch([same])))).toEqual([1, 0, 0]);
  });

  test('an event that was refused as bad is counted when it comes again mended', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const mended = event();
    await ingest.take(KEY, batch([{ ...mended, schema: 'none' }]));
    expect(counts(await ingest.take(KEY, batch([mended])))).toEqual([1, 0, 0]);
  });

  test('two processes that take the same messages at the same time count each once', async ({ location, storage }) => {
    const batches = Array.from({ length: 20 }, () => Array.from({ length: 30 }, () => eventWith('a')));
    const other = fork(join(import.meta.dirname, '../testing/competitor.ts'), [JSON.stringify(location)], {
      serialization: 'advanced',
    });
    await once(other, 'message');
    const ingest = openIngest({ storage, timer: setTimeout });
    other.send(batches);
    const [[there], here] = await Promise.all([
      once(other, 'message'),
      Promise.all(batches.map((events) => ingest.take(KEY, batch(events)))),
    ]);
    const receipts: BatchReceipt[] = [...there, ...here];
    const sum = receipts.map(counts).reduce((a, b) => a.map((count, index) => count + Number(b[index])));
    expect(sum).toEqual([600, 600, 0]);
    expect(await acceptedInAll(storage)).toBe(600);
  });
});

describe('a batch that is sent again whole', () => {
  test('is known by its id and content, without a look at its messages', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const sent = batch([event(), {}, event()]);
    await ingest.take(KEY, sent);
    for (const table of SLOT_TABLES) await ofTest(storage).db.deleteFrom(table).execute();
    expect(counts(await ingest.take(KEY, { ...sent, sentAt: '2026-01-02T03:09:05.678Z' }))).toEqual([0, 2, 1]);
  });

  test('is known though its message ids are in capitals now', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const sent = batch([{ ...event(), messageId: 'abcdefab-cdef-4abc-8def-abcdefabcdef' }]);
    await ingest.take(KEY, sent);
    for (const table of SLOT_TABLES) await ofTest(storage).db.deleteFrom(table).execute();
    const events = sent.events.map((one) => ({ ...one, messageId: one.messageId.toUpperCase() }));
    expect(counts(await ingest.take(KEY, { ...sent, events }))).toEqual([0, 1, 0]);
  });

  test('is judged event by event when its content is another', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const first = event();
    const batchId = uuid(77);
    await ingest.take(KEY, batch([first], { batchId }));
    expect(counts(await ingest.take(KEY, batch([first, event()], { batchId })))).toEqual([1, 1, 0]);
    expect(counts(await ingest.take(KEY, batch([event()], { batchId, version: '2.0' })))).toEqual([1, 0, 0]);
  });
});

describe('the limit on shapes', () => {
  const sentence =
    'The event has a new shape, and this version of the app has 2 shapes already, the most that are kept. ' +
    'Look for names of events or properties that are made at run time, such as ids, and give them fixed names.';

  test('refuses new shapes past it, in the order in which they came, and still counts known ones', async ({
    storage,
  }) => {
    const ingest = openIngest({ storage, maxShapes: 2 });
    const receipt = await ingest.take(KEY, batch(['a', 'b', 'c', 'a', 'd'].map((name) => eventWith(name))));
    expect(receipt.accepted).toBe(3);
    expect(receipt.rejected.map(({ index, reason }) => [index, reason])).toEqual([
      [2, sentence],
      [4, sentence],
    ]);
    expect(counts(await ingest.take(KEY, batch([eventWith('b'), eventWith('e')])))).toEqual([1, 0, 1]);
    expect((await settledShapes(storage, 'demo', {}))?.entries).toHaveLength(2);
  });

  test('holds within one group', async ({ storage }) => {
    const ingest = openIngest({ storage, maxShapes: 2, timer: setImmediate });
    const receipts = await Promise.all(['a', 'b', 'c', 'b'].map((name) => ingest.take(KEY, batch([eventWith(name)]))));
    expect(receipts.map(({ accepted }) => accepted)).toEqual([1, 1, 0, 1]);
  });

  test('is one for all environments of a version, and one for each version and source', async ({ storage }) => {
    const ingest = openIngest({ storage, maxShapes: 2 });
    await ingest.take(KEY, batch([eventWith('a'), eventWith('b')]));
    const inDev = batch([eventWith('a'), eventWith('b'), eventWith('c')], { environment: 'dev' });
    expect(counts(await ingest.take(KEY, inDev))).toEqual([2, 0, 1]);
    expect(counts(await ingest.take(KEY, batch([eventWith('c')], { version: '2.0' })))).toEqual([1, 0, 0]);
    expect(counts(await ingest.take({ ...KEY, source: 'other' }, batch([eventWith('c')])))).toEqual([1, 0, 0]);
  });

  test('an event that it refused is not remembered, nor is its batch: once there is room, it counts', async ({
    storage,
  }) => {
    const sent = batch([eventWith('a'), eventWith('b'), eventWith('c')]);
    expect(counts(await openIngest({ storage, maxShapes: 2 }).take(KEY, sent))).toEqual([2, 0, 1]);
    expect(counts(await openIngest({ storage, maxShapes: 2 }).take(KEY, sent))).toEqual([0, 2, 1]);
    expect(counts(await openIngest({ storage, maxShapes: 3 }).take(KEY, sent))).toEqual([1, 2, 0]);
    expect(counts(await openIngest({ storage, maxShapes: 3 }).take(KEY, sent))).toEqual([0, 3, 0]);
  });
});

describe('faults', () => {
  test('a batch that the database refuses fails alone, and nothing of it is kept', async ({ storage }) => {
    const ingest = openIngest({ storage, timer: setImmediate });
    const good = [event(), event()];
    const poison = event({ eventName: 'Poison' });
    // A fault: somebody else has it already, and then nobody may have it twice.
    await ingest.take({ ...KEY, workspaceId: 'other' }, batch([poison]));
    await sql`create unique index refuse on observed_shapes (event_name) where event_name = 'Poison'`.execute(
      storage.db,
    );
    const answers = await Promise.allSettled([
      ingest.take(KEY, batch([good[0]])),
      ingest.take(KEY, batch([event(), poison])),
      ingest.take(KEY, batch([good[1]])),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await acceptedInAll(storage)).toBe(2);
    await sql`drop index refuse`.execute(storage.db);
    expect(counts(await ingest.take(KEY, batch([...good, poison])))).toEqual([1, 2, 0]);
  });

  test('close answers what was taken, and takes no more', async ({ storage }) => {
    const ingest = openIngest({ storage, timer: () => undefined });
    const answer = ingest.take(KEY, batch([event()]));
    await ingest.close();
    expect(counts(await answer)).toEqual([1, 0, 0]);
    await expect(ingest.take(KEY, batch([event()]))).rejects.toThrow('stopping');
  });
});
