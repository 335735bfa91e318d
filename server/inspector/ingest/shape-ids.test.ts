// @module-tag both-engines
import * as fc from 'fast-check';
import { describe, expect, vi } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { DEFAULT_BUDGET } from '../budget.ts';
import type { EventReport, EventSchema } from '../event-schema.ts';
import { deriveShape } from '../shape.ts';
import { batch, event, eventWith, KEY, openIngest, uuid } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { settledShapes } from '../testing/settled-reports.ts';
import { eventSchema } from '../testing/schemas.ts';
import type { BatchReceipt } from './ingest.ts';

/** The event as it is sent by the id of its shape. */
function byId({ schema, ...rest }: EventReport) {
  return { ...rest, shapeId: deriveShape(rest.eventName, schema).id };
}

const { shapeId: OF_A } = byId(eventWith('a'));
const { shapeId: OF_B } = byId(eventWith('b'));

const counts = ({ accepted, duplicates, rejected, unknownShapeIds }: BatchReceipt) => [
  accepted,
  duplicates,
  rejected.length,
  unknownShapeIds,
];

/** How often each property was accepted; each event of these tests has one. */
async function counted(storage: Storage, workspaceId = 'demo') {
  const page = await settledShapes(storage, workspaceId, { limit: 200 });
  return Object.fromEntries(page?.entries.map(({ schema, count }) => [schema[0]?.name, count]) ?? []);
}

test('an event with the id of a known shape counts as one with its schema', async ({ storage }) => {
  const ingest = openIngest({ storage });
  expect(counts(await ingest.take(KEY, batch([eventWith('a')])))).toEqual([1, 0, 0, []]);
  expect(counts(await ingest.take(KEY, batch([byId(eventWith('a')), byId(eventWith('a'))])))).toEqual([2, 0, 0, []]);
  expect(await counted(storage)).toEqual({ a: 3 });
});

test('an event of an unknown shape is asked for again, and then counts once', async ({ storage }) => {
  const ingest = openIngest({ storage });
  const [one, two] = [eventWith('a'), eventWith('a')];
  const sent = batch([byId(one), byId(two)]);
  expect(counts(await ingest.take(KEY, sent))).toEqual([0, 0, 0, [OF_A]]);
  expect(await counted(storage)).toEqual({});
  const again = { ...sent, events: [one, byId(two)] };
  expect(counts(await ingest.take(KEY, again))).toEqual([1, 0, 0, [OF_A]]);
  expect(counts(await ingest.take(KEY, again))).toEqual([1, 1, 0, []]);
  expect(counts(await ingest.take(KEY, again))).toEqual([0, 2, 0, []]);
  expect(await counted(storage)).toEqual({ a: 2 });
});

test('a receipt accounts for every event of a mixed batch, in its order', async ({ storage }) => {
  const ingest = openIngest({ storage, maxShapes: 1 });
  const known = eventWith('a');
  await ingest.take(KEY, batch([known]));
  const receipt = await ingest.take(
    KEY,
    batch([
      byId(eventWith('b')),
      byId(eventWith('a')),
      { messageId: uuid(9) },
      eventWith('c'),
      byId(known),
      byId(eventWith('b')),
      eventWith('a'),
    ]),
  );
  expect(receipt).toMatchObject({ accepted: 2, duplicates: 1, unknownShapeIds: [OF_B] });
  expect(receipt.rejected.map(({ index }) => index)).toEqual([2, 3]);
  expect(await counted(storage)).toEqual({ a: 3 });
});

test('a message is the same whether it comes with a schema or an id', async ({ storage }) => {
  const ingest = openIngest({ storage });
  const one = eventWith('a');
  await ingest.take(KEY, batch([one]));
  expect(counts(await ingest.take(KEY, batch([byId(one)])))).toEqual([0, 1, 0, []]);
  const two = eventWith('a');
  expect(counts(await ingest.take(KEY, batch([byId(two), two, byId(two)])))).toEqual([1, 2, 0, []]);
  expect(await counted(storage)).toEqual({ a: 2 });
});

test('a batch sent again whole is the same whether it has schemas or ids', async ({ storage }) => {
  const ingest = openIngest({ storage });
  const sent = batch([eventWith('a'), eventWith('b')]);
  await ingest.take(KEY, sent);
  expect(counts(await ingest.take(KEY, { ...sent, events: sent.events.map(byId) }))).toEqual([0, 2, 0, []]);
});

describe('a shape is known', () => {
  test('to every process, and after a restart', async ({ storage, location }) => {
    await openIngest({ storage }).take(KEY, batch([eventWith('a')]));
    const another = await openStorage(location);
    expect(counts(await openIngest({ storage: another }).take(KEY, batch([byId(eventWith('a'))])))).toEqual([
      1,
      0,
      0,
      [],
    ]);
    await another.close();
    expect(await counted(storage)).toEqual({ a: 2 });
  });

  test('as soon as another process was brought it, though it was unknown before', async ({ storage, location }) => {
    const ingest = openIngest({ storage });
    expect(counts(await ingest.take(KEY, batch([byId(eventWith('a'))])))).toEqual([0, 0, 0, [OF_A]]);
    const another = await openStorage(location);
    await openIngest({ storage: another }).take(KEY, batch([eventWith('a')]));
    await another.close();
    expect(counts(await ingest.take(KEY, batch([byId(eventWith('a'))])))).toEqual([1, 0, 0, []]);
  });

  test('in its workspace only', async ({ storage }) => {
    const ingest = openIngest({ storage });
    await ingest.take(KEY, batch([eventWith('a')]));
    await ingest.take(KEY, batch([byId(eventWith('a'))]));
    const elsewhere = { ...KEY, workspaceId: 'other' };
    expect(counts(await ingest.take(elsewhere, batch([byId(eventWith('a'))])))).toEqual([0, 0, 0, [OF_A]]);
    expect(await counted(storage, 'other')).toEqual({});
  });

  test('for its event only: with the name of another it is unknown, and creates nothing', async ({ storage }) => {
    const ingest = openIngest({ storage });
    await ingest.take(KEY, batch([eventWith('a'), event({ eventName: 'Bought' })]));
    await ingest.take(KEY, batch([byId(eventWith('a'))]));
    const lie = { ...byId(eventWith('a')), eventName: 'Bought' };
    expect(counts(await ingest.take(KEY, batch([lie])))).toEqual([0, 0, 0, [OF_A]]);
    const page = await settledShapes(storage, 'demo', { eventName: 'Bought' });
    expect(page?.entries.map(({ schema, count }) => [schema, count])).toEqual([[[], 1]]);
  });

  test('to another source of the workspace, for which it is new and is limited like its schema', async ({
    storage,
  }) => {
    await openIngest({ storage }).take(KEY, batch([eventWith('a'), eventWith('b')]));
    const ingest = openIngest({ storage, maxShapes: 1 });
    const other = { ...KEY, source: 'other' };
    const receipt = await ingest.take(other, batch([byId(eventWith('a')), byId(eventWith('b'))]));
    expect(counts(receipt)).toEqual([1, 0, 1, []]);
    expect(receipt.rejected[0]?.reason).toMatch(/this version of the app has 1 shapes already/);
    const none = { ...DEFAULT_BUDGET, appVersions: 1 };
    const late = await openIngest({ storage, budget: none }).take(
      KEY,
      batch([byId(eventWith('a'))], { version: '9.0' }),
    );
    expect(late.rejected).toHaveLength(1);
  });
});

describe('the look-ups', () => {
  const many = Array.from({ length: 400 }, (_, index) => eventWith(`${index} ${'x'.repeat(1_000)}`));

  test('are none for what was found before, and one each for ids and schemas in a batch of others', async ({
    storage,
  }) => {
    await openIngest({ storage }).take(KEY, batch(['a', 'b', 'c'].map((name) => eventWith(name))));
    const lookUps = vi.spyOn(storage.db.getExecutor(), 'provideConnection');
    const ingest = openIngest({ storage });
    await ingest.take(KEY, batch([byId(eventWith('a')), byId(eventWith('b')), byId(eventWith('a'))]));
    expect(lookUps).toHaveBeenCalledTimes(2);
    await ingest.take(KEY, batch([byId(eventWith('b')), byId(eventWith('a')), eventWith('c')]));
    expect(lookUps).toHaveBeenCalledTimes(2);
    await ingest.take(KEY, batch([byId(eventWith('a')), byId(eventWith('new'))]));
    expect(lookUps).toHaveBeenCalledTimes(3);
  });

  test('read a bounded part of what is large; for the rest the schemas are asked for', async ({ storage }) => {
    await openIngest({ storage }).take(KEY, batch(many));
    const ingest = openIngest({ storage });
    const sent = many.map((one) => ({ ...byId(one), messageId: uuid(Number.parseInt(one.schema[0]?.name ?? '')) }));
    const first = await ingest.take(KEY, batch(sent));
    expect(first.accepted).toBeGreaterThan(100);
    expect(first.accepted + Number(first.unknownShapeIds?.length)).toBe(400);
    const second = await ingest.take(KEY, batch(sent));
    expect(second.duplicates).toBe(first.accepted);
    expect(second.accepted + second.duplicates + Number(second.unknownShapeIds?.length)).toBe(400);
    expect(second.accepted).toBeGreaterThan(100);
  });

  test('find a schema however large it is, if it comes alone', async ({ storage }) => {
    const large: EventSchema = Array.from({ length: 60 }, (_, index) => ({
      name: `${index}${'\u0001'.repeat(1_000)}`,
      type: 'int',
    }));
    expect(deriveShape('Viewed', large).schema.length).toBeGreaterThan(256 * 1024);
    await openIngest({ storage }).take(KEY, batch([event({ schema: large })]));
    const receipt = await openIngest({ storage }).take(KEY, batch([byId(event({ schema: large }))]));
    expect(counts(receipt)).toEqual([1, 0, 0, []]);
  });
});

test(
  'batches by ids have the receipts and reports of the same batches by schemas',
  { timeout: 120_000 },
  async ({ storage }) => {
    const one = fc.record({
      schema: fc.nat({ max: 2 }),
      name: fc.constantFrom('Viewed', 'Bought'),
      id: fc.nat({ max: 9 }),
    });
    const rounds = fc.array(
      fc.record({
        version: fc.constantFrom('1.0', '2.0'),
        environment: fc.constantFrom('dev', 'prod'),
        events: fc.array(one, { minLength: 1, maxLength: 6 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(eventSchema, eventSchema, eventSchema), rounds, async (schemas, rounds) => {
        run += 1;
        const keys = ['schemas', 'ids'].map((how) => ({ ...KEY, workspaceId: `${how}-${run}` }));
        const [bySchema = KEY, byShape = KEY] = keys;
        await addWorkspaces(storage, bySchema.workspaceId, byShape.workspaceId);
        const ingest = openIngest({ storage, maxShapes: 4 });
        const make = (index: number, eventName: string, messageId: string) =>
          event({ eventName, messageId, schema: schemas[index] ?? [] });
        const all = ['Viewed', 'Bought'].flatMap((name, n) =>
          schemas.map((_, s) => make(s, name, uuid(100 + 3 * n + s))),
        );
        for (const key of keys) await openIngest({ storage }).take({ ...key, source: 'before' }, batch(all));
        for (const { events, ...parts } of rounds) {
          const sent = batch(
            events.map(({ schema, name, id }) => make(schema, name, uuid(id))),
            parts,
          );
          expect(await ingest.take(byShape, { ...sent, events: sent.events.map(byId) })).toEqual(
            await ingest.take(bySchema, sent),
          );
        }
        const [left, right] = await Promise.all(keys.map(({ workspaceId }) => settledShapes(storage, workspaceId, {})));
        expect(right).toEqual(left);
      }),
      { numRuns: 20 },
    );
  },
);
