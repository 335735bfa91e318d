// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../storage/storage.ts';
import { type Budget, DEFAULT_BUDGET, type Measure } from './budget.ts';
import { inspectorBudget } from './reports/budget-report.ts';
import type { EventReport, EventSchema } from './event-schema.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { batch, event, KEY, openIngest } from './testing/batches.ts';
import { test } from './testing/database.ts';

const AMPLE: Budget = DEFAULT_BUDGET;

const ints = (...names: string[]): EventSchema => names.map((name) => ({ name, type: 'int' as const }));

const named = (eventName: string): EventReport => event({ eventName });

function open(storage: Storage, budget: Partial<Budget>) {
  const refused: Partial<Record<Measure | 'versionShapes', number>> = {};
  const ingest = openIngest({
    storage,
    budget: { ...AMPLE, ...budget },
    countPastBudget: (measure, events) => (refused[measure] = (refused[measure] ?? 0) + events),
  });
  const take = async (events: EventReport[], { version = '1.0', key = KEY } = {}) => {
    const { accepted, rejected } = await ingest.take(key, batch(events, { version }));
    return { accepted, reasons: rejected.map(({ reason }) => reason) };
  };
  return { take, refused };
}

describe('past a budget what is new is refused with a reason, and what is known still counts', () => {
  test('app versions', async ({ storage }) => {
    const { take, refused } = open(storage, { appVersions: 10 });
    for (let version = 0; version < 8; version += 1) {
      expect(await take([event()], { version: `1.${version}` })).toEqual({ accepted: 1, reasons: [] });
    }
    const { accepted, reasons } = await take([event()], { version: '2.0' });
    expect(accepted).toBe(0);
    expect(reasons).toEqual([expect.stringContaining('this API key has its most of 8 app versions')]);
    expect(await take([event(), event()], { version: '1.3' })).toEqual({ accepted: 2, reasons: [] });
    expect(refused).toEqual({ appVersions: 1 });
  });

  test('a budget of one has room for one', async ({ storage }) => {
    const { take } = open(storage, { appVersions: 1, eventNames: 1, shapes: 1, properties: 1 });
    expect(await take([event({ schema: ints('a') })])).toEqual({ accepted: 1, reasons: [] });
    expect(await take([event({ schema: ints('b') })])).toMatchObject({ accepted: 0 });
  });

  test('event names', async ({ storage }) => {
    const { take } = open(storage, { eventNames: 10 });
    const { accepted, reasons } = await take(Array.from({ length: 9 }, (_, index) => named(`Event ${index}`)));
    expect(accepted).toBe(8);
    expect(reasons).toEqual([expect.stringContaining('8 event names')]);
    expect(await take([named('Event 3')], { version: '2.0' })).toEqual({ accepted: 1, reasons: [] });
  });

  test('shapes', async ({ storage }) => {
    const { take } = open(storage, { shapes: 10 });
    const shapes = Array.from({ length: 10 }, (_, index) => event({ schema: ints(`a${index}`) }));
    const { accepted, reasons } = await take(shapes);
    expect(accepted).toBe(8);
    expect(reasons).toHaveLength(2);
    expect(reasons[0]).toContain('8 event shapes');
  });

  test('properties: an event counts with those that are new only', async ({ storage }) => {
    const { take } = open(storage, { properties: 10 });
    expect(await take([event({ schema: ints('a', 'b', 'c', 'd', 'e') })])).toMatchObject({ accepted: 1 });
    expect(await take([event({ schema: ints('a', 'b', 'c', 'd', 'f') })])).toMatchObject({ accepted: 1 });
    const { reasons } = await take([event({ schema: ints('g', 'h', 'i') })]);
    expect(reasons).toEqual([expect.stringContaining('8 property types')]);
    expect(await take([event({ schema: ints('g', 'h') })])).toMatchObject({ accepted: 1 });
    expect(await take([event({ schema: ints('a', 'g') })])).toMatchObject({ accepted: 1 });
  });

  test('bytes: all of a name, in each version that has it', async ({ storage }) => {
    const { take } = open(storage, {});
    const long = '\u{1f389}'.repeat(500);
    for (const version of ['1.0', '2.0', '3.0']) {
      expect(await take([named(long)], { version })).toEqual({ accepted: 1, reasons: [] });
    }
    const { workspace } = await inspectorBudget(storage, KEY.workspaceId, AMPLE);
    // The row of the event and the row of its shape have the name, of 2,000 bytes.
    expect(workspace.bytes.used).toBeGreaterThan(3 * 2 * 2_000);
  });

  test('bytes', async ({ storage }) => {
    const { take } = open(storage, { bytes: 20_000 });
    const { accepted, reasons } = await take([
      event({ schema: ints('x'.repeat(1_000)) }),
      ...[1, 2, 3, 4, 5, 6].map((number) => event({ schema: ints(`${number}${'y'.repeat(1_000)}`) })),
    ]);
    expect(accepted).toBeGreaterThan(2);
    expect(reasons.at(-1)).toContain('bytes of schemas');
  });
});

test('a message that was refused for want of a budget may come again', async ({ storage }) => {
  const sent = named('New');
  const small = open(storage, { eventNames: 0 });
  expect(await small.take([sent])).toMatchObject({ accepted: 0 });
  const large = open(storage, {});
  expect(await large.take([sent])).toMatchObject({ accepted: 1 });
});

test('one key leaves room for its source, one source for its workspace, and none is taken from another workspace', async ({
  storage,
}) => {
  const { take } = open(storage, { eventNames: 100 });
  const flood = (start: number, key = KEY) =>
    take(
      Array.from({ length: 100 }, (_, index) => named(`Event ${start + index}`)),
      { key },
    );
  expect(await flood(0)).toMatchObject({ accepted: 81 });
  expect(await flood(1_000, { ...KEY, keyId: 'key-2' })).toMatchObject({ accepted: 9 });
  expect(await flood(2_000, { ...KEY, keyId: 'key-3', source: 'other' })).toMatchObject({ accepted: 10 });
  expect(await flood(3_000, { ...KEY, keyId: 'key-4', source: 'third' })).toMatchObject({ accepted: 0 });
  expect(await flood(0, { ...KEY, workspaceId: 'other' })).toMatchObject({ accepted: 81 });

  const report = await inspectorBudget(storage, 'demo', { ...AMPLE, eventNames: 100 });
  expect(report.workspace.eventNames).toEqual({ used: 100, most: 100 });
  expect(report.sources.map(({ source, budget }) => [source, budget.eventNames])).toEqual([
    ['shop', { used: 90, most: 90 }],
    ['other', { used: 10, most: 90 }],
  ]);
  expect(report.apiKeys.map(({ keyId, budget }) => [keyId, budget.eventNames.used])).toEqual([
    ['key-1', 81],
    ['key-3', 10],
    ['key-2', 9],
  ]);
});

test('of deleted keys those that have brought the most are kept, which is all that a report names', async ({
  storage,
}) => {
  const { db } = ofTest(storage);
  const live = ['key live', 'key of 900'].map((key_id) => ({
    workspace_id: 'demo',
    key_id,
    source: 'shop',
    secret_hash: 'hash',
    sampling_rate: 1,
    created_at: 1,
    last_used_at: null,
    batch_day: null,
    batches: 0,
    libraries: '[]',
  }));
  await db.insertInto('api_keys').values(live).execute();
  const { take } = open(storage, {});
  const bring = (keyId: string, letters: number) =>
    take([named(keyId.padEnd(letters, 'x'))], { key: { ...KEY, keyId } });
  await bring('key live', 10);
  for (let number = 0; number < 110; number += 1) await bring(`key ${number}`, 100 + number);
  await bring('key of 900', 900);
  const { apiKeys } = await inspectorBudget(storage, 'demo', AMPLE);
  const largest = Array.from({ length: 99 }, (_, index) => `key ${109 - index}`);
  expect(apiKeys.map(({ keyId }) => keyId)).toEqual(['key of 900', ...largest]);
  const rows = await db.selectFrom('inspector_usage').select('holder').where('holder', 'like', 'key:%').execute();
  expect(rows).toHaveLength(100 + live.length);
  expect(rows).toContainEqual({ holder: 'key:key live' });
});

test('what is used is what is stored, however it was brought', async ({ storage }) => {
  const { take } = open(storage, {});
  await Promise.all([
    take([event({ schema: ints('a', 'b') }), event({ schema: ints('a') })], { version: '1.0' }),
    take([event({ schema: ints('a', 'c') }), named('Other')], { version: '2.0' }),
    take([event({ schema: ints('a', 'b') })], { version: '1.0', key: { ...KEY, source: 'other' } }),
  ]);
  const count = async (table: 'app_versions' | 'event_names' | 'shapes' | 'observed_types') =>
    (await ofTest(storage).db.selectFrom(table).selectAll().execute()).length;
  const { workspace } = await inspectorBudget(storage, 'demo', AMPLE);
  expect({
    appVersions: workspace.appVersions.used,
    eventNames: workspace.eventNames.used,
    shapes: workspace.shapes.used,
    properties: workspace.properties.used,
  }).toEqual({
    appVersions: await count('app_versions'),
    eventNames: await count('event_names'),
    shapes: await count('shapes'),
    properties: await count('observed_types'),
  });
});

test('a large batch is stored in parts, and counts as a whole', async ({ storage }) => {
  const { take } = open(storage, {});
  const large = Array.from({ length: 40 }, (_, number) =>
    event({ eventName: `Large ${number}`, schema: ints(...Array.from({ length: 400 }, (_, index) => `p${index}`)) }),
  );
  expect(await take(large)).toEqual({ accepted: 40, reasons: [] });
  expect(await take(large)).toEqual({ accepted: 0, reasons: [] });
});
