// @module-tag both-engines
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiKey } from '../../accounts/principals.ts';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { WORKSPACE_TABLES } from '../../storage/tables.ts';
import { newDatabase, type TestDatabase } from '../../storage/testing/databases.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { typeConflicts } from '../reports/conflict-report.ts';
import type { EventReport, EventSchema } from '../event-schema.ts';
import type { Batch } from './ingest.ts';
import type { PlaceFilter } from '../reports/index-orders.ts';
import { batch, KEY, openIngest, uuid } from '../testing/batches.ts';
import { IngestModel, name } from '../testing/model.ts';
import { settledEvents, settledShapes } from '../testing/settled-reports.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';

const MAX_SHAPES = 3;
const NO_TYPE = 'date' as never;

/** A batch together with the source that sends it. */
interface Sent {
  source: string;
  batch: Omit<Batch, 'events'> & { events: EventReport[] };
}

const SCHEMAS: EventSchema[] = [
  [],
  [{ name: 'a', type: 'int' }],
  [{ name: 'a', type: 'string' }],
  [
    { name: 'a', type: 'int' },
    { name: 'b', type: 'object', properties: [{ name: 'c', type: 'int' }] },
  ],
  [
    { name: 'b', type: 'object', properties: [{ name: 'c', type: 'null' }] },
    { name: 'a', type: 'int' },
  ],
  [{ name: 'b', type: 'list', items: [{ type: 'object', properties: [{ name: 'c', type: 'int' }] }] }],
  [{ name: 'a', type: NO_TYPE }],
];

const event = fc.record({
  messageId: fc
    .tuple(fc.nat({ max: 12 }), fc.boolean())
    .map(([n, upper]) => (upper ? uuid(n + 10).toUpperCase() : uuid(n + 10))),
  eventName: fc.constantFrom('Viewed', 'Bought'),
  observedAt: fc.constant('2026-01-02T03:04:01Z'),
  schema: fc.constantFrom(...SCHEMAS),
}) satisfies fc.Arbitrary<EventReport>;

const sent: fc.Arbitrary<Sent> = fc
  .record({
    source: fc.constantFrom('shop', 'shop', 'other'),
    batchId: fc.nat({ max: 5 }).map(uuid),
    version: fc.constantFrom('1.0', '1.0', '2.0'),
    environment: fc.constantFrom('dev', 'prod'),
    events: fc.array(event, { minLength: 1, maxLength: 6 }),
  })
  .map(({ source, events, ...parts }) => ({ source, batch: batch(events, parts) }));

/** What arrives together; some of it is a batch that was sent before, whole. */
const rounds = fc
  .array(fc.array(sent, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  .chain((made) =>
    fc
      .tuple(fc.constant(made), fc.array(fc.shuffledSubarray(made.flat()), { maxLength: made.length }))
      .map(([fresh, again]) => fresh.map((round, index) => [...round, ...(again[index] ?? [])])),
  );

test(
  'receipts and reports are those of a simple model, whatever is sent and however it is grouped',
  { timeout: 600_000 },
  async () => {
    const database = await newDatabase();
    const storages = await openTwice(database);
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        await emptied(storages);
        const model = new IngestModel(MAX_SHAPES, ({ schema }) => schema.some(({ type }) => type === NO_TYPE));
        // Each round goes to one of two processes on the same database.
        const ingests = storages.map((storage) => openIngest({ storage, maxShapes: MAX_SHAPES, timer: setImmediate }));
        for (const [index, round] of rounds.entries()) {
          const ingest = ingests[index % 2];
          const receipts = await Promise.all(round.map(({ source, batch }) => ingest?.take(keyOf(source), batch)));
          expect(
            receipts.map((receipt) => ({ ...receipt, rejected: receipt?.rejected.map(({ index }) => index) })),
          ).toEqual(
            round.map(({ source, batch }) => ({ ...model.take(source, batch), samplingRate: 1, unknownShapeIds: [] })),
          );
          for (const [place, receipt] of receipts.entries()) {
            const sum = Number(receipt?.accepted) + Number(receipt?.duplicates) + Number(receipt?.rejected.length);
            expect(sum).toBe(round[place]?.batch.events.length);
          }
        }
        for (const storage of storages) await compare(storage, model);
      }),
      { numRuns: 100 },
    );
    for (const storage of storages) await storage.close();
    await database.remove();
  },
);

async function compare(storage: Storage, model: IngestModel): Promise<void> {
  const shapes = await settledShapes(storage, 'demo', { limit: 200 });
  expect(
    Object.fromEntries(shapes?.entries.map((one) => [name(one, one.eventName, one.shapeId), one.count]) ?? []),
  ).toEqual(model.shapes());
  const events = await settledEvents(storage, 'demo', { limit: 200 });
  expect(Object.fromEntries(events?.entries.map((one) => [name(one, one.eventName), one.count]) ?? [])).toEqual(
    model.events(),
  );
  for (const { eventName, shapes: number, ...place } of events?.entries ?? []) {
    const there = Object.keys(model.shapes()).filter((key) => key.startsWith(`${name(place, eventName)} `));
    expect(number).toBe(there.length);
  }
  for (const filter of FILTERS) {
    const conflicts = await typeConflicts(storage, 'demo', { limit: 200, ...filter });
    const found = conflicts?.entries.map(({ eventName, property, types }) => [
      JSON.stringify([eventName, property]),
      Object.fromEntries(types.map(({ type, shapes }) => [type, shapes])),
    ]);
    expect(Object.fromEntries(found ?? [])).toEqual(
      model.conflicts(
        ({ source, environment, appVersion }) =>
          (filter.source ?? source) === source &&
          (filter.environment ?? environment) === environment &&
          (filter.appVersion ?? appVersion) === appVersion,
      ),
    );
  }
}

const FILTERS: PlaceFilter[] = [
  {},
  { source: 'shop' },
  { environment: 'dev' },
  { appVersion: '2.0' },
  { source: 'shop', appVersion: '1.0' },
  { source: 'shop', environment: 'prod', appVersion: '1.0' },
];

function keyOf(source: string): ApiKey {
  return { ...KEY, source };
}

async function emptied(storages: readonly Storage[]): Promise<void> {
  const [storage] = storages.map(ofTest);
  for (const table of WORKSPACE_TABLES) await storage?.db.deleteFrom(table).execute();
}

/** As two processes have it, with the one workspace that is sent to. */
async function openTwice({ location }: TestDatabase): Promise<Storage[]> {
  const storages = [await openStorage(location), await openStorage(location)] as const;
  await addWorkspaces(storages[0], KEY.workspaceId);
  return [...storages];
}
