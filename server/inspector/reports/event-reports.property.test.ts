// @module-tag both-engines
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { WORKSPACE_TABLES } from '../../storage/tables.ts';
import { newDatabase } from '../../storage/testing/databases.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { eventProperties } from './event-properties.ts';
import type { EventSchema } from '../event-schema.ts';
import { eventSummaries, type SummaryQuery } from './event-summaries.ts';
import { eventVolume } from './event-volume.ts';
import { DAY_MS, HOUR_MS } from '../hours.ts';
import type { ReportFilter } from './index-orders.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { EventModel, type Sighting } from '../testing/event-model.ts';
import { combineFilters } from '../testing/filters.ts';

const LONG = `x${'ü'.repeat(200)}`;

const SCHEMAS: EventSchema[] = [
  [],
  [{ name: 'a', type: 'int' }],
  [{ name: 'a', type: 'string' }],
  [{ name: 'b', type: 'object', properties: [{ name: 'c', type: 'int' }] }],
  [
    {
      name: 'b',
      type: 'list',
      items: [
        { type: 'object', properties: [{ name: 'c', type: 'int' }] },
        { type: 'object', properties: [{ name: 'c', type: 'null' }] },
      ],
    },
  ],
];

/** What one batch brings, and when. */
const sent = fc.record({
  source: fc.constantFrom('shop', 'other'),
  version: fc.constantFrom('1.0', '1.1', '2.0'),
  environment: fc.constantFrom('dev', 'prod'),
  // Two servers whose clocks differ, and are set back; some of it is on the edge of what is shown, or before it.
  at: fc.oneof(
    fc.integer({ min: 0, max: 4 }).map((hours) => NOW - hours * HOUR_MS),
    fc.integer({ min: 0, max: 95 }).map((days) => NOW - days * DAY_MS + 12_345),
    fc.constantFrom(NOW - 47 * HOUR_MS, NOW - 48 * HOUR_MS, NOW - 89 * DAY_MS, NOW - 90 * DAY_MS),
  ),
  events: fc.array(
    fc.record({
      eventName: fc.constantFrom('Viewed', 'Bought', 'viewed twice', LONG),
      schema: fc.constantFrom(...SCHEMAS),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

const rounds = fc.array(fc.tuple(fc.array(sent, { minLength: 1, maxLength: 4 }), fc.boolean()), {
  minLength: 1,
  maxLength: 5,
});

const FILTERS = combineFilters({ eventName: 'Viewed', source: 'shop', appVersion: '1.1', environment: 'prod' });

test('the reports of events are those of a simple model, however it is settled', { timeout: 600_000 }, async () => {
  const database = await newDatabase();
  const storages = [await openStorage(database.location), await openStorage(database.location)] as const;
  await addWorkspaces(storages[0], KEY.workspaceId);
  await fc.assert(
    fc.asyncProperty(rounds, fc.shuffledSubarray(FILTERS, { minLength: 2, maxLength: 2 }), async (rounds, filters) => {
      for (const table of WORKSPACE_TABLES) await ofTest(storages[0]).db.deleteFrom(table).execute();
      const model = new EventModel();
      for (const [index, [round, settles]] of rounds.entries()) {
        const storage = storages[index % 2] ?? storages[0];
        for (const sent of round) model.add(...(await send(storage, sent)));
        if (settles) await Promise.all(storages.map((storage) => settleCounts(storage, 'demo')));
      }
      await settleCounts(storages[1], 'demo');
      await compare(storages[0], model, filters);
    }),
    { numRuns: 40 },
  );
  for (const storage of storages) await storage.close();
  await database.remove();
});

async function send(
  storage: Storage,
  { source, version, environment, at, events }: typeof sent extends fc.Arbitrary<infer One> ? One : never,
): Promise<Sighting[]> {
  const ingest = openIngest({ storage, clock: () => at });
  const made = events.map((one) => event(one));
  const { accepted } = await ingest.take({ ...KEY, source }, batch(made, { version, environment }));
  expect(accepted).toBe(made.length);
  return made.map(({ eventName, schema }) => ({ source, appVersion: version, environment, at, eventName, schema }));
}

async function compare(storage: Storage, model: EventModel, filters: readonly ReportFilter[]): Promise<void> {
  for (const filter of filters) {
    for (const more of [{}, { text: 'VIEW' }, { conflicting: 'true' as const }]) {
      const query: SummaryQuery = { ...filter, ...more };
      expect(await allSummaries(storage, query), JSON.stringify(query)).toEqual(model.summaries(query, NOW));
    }
    for (const eventName of ['Viewed', LONG]) {
      const query = { ...filter, eventName };
      expect(await allProperties(storage, query), JSON.stringify(query)).toEqual(model.properties(query));
    }
    for (const step of ['hour', 'day'] as const) {
      for (const split of [undefined, 'source', 'environment', 'appVersion'] as const) {
        const query = { ...filter, step, split };
        expect(await eventVolume(storage, 'demo', query, NOW), JSON.stringify(query)).toEqual(model.volume(query, NOW));
      }
    }
  }
}

async function allSummaries(storage: Storage, query: SummaryQuery) {
  const entries = [];
  let cursor: string | undefined;
  do {
    const page = await eventSummaries(storage, 'demo', { ...query, limit: 3, cursor }, NOW);
    entries.push(...(page?.entries ?? []));
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return entries;
}

async function allProperties(storage: Storage, query: Parameters<typeof eventProperties>[2]) {
  const properties = [];
  let cursor: string | undefined;
  let count: number | undefined;
  do {
    const page = await eventProperties(storage, 'demo', { ...query, limit: 2, cursor });
    expect(page?.sampled).toBe(false);
    properties.push(...(page?.properties ?? []));
    count = page?.count;
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { count, properties };
}
