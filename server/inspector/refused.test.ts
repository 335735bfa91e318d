// @module-tag both-engines
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import type { ApiKey } from '../accounts/principals.ts';
import type { Storage } from '../storage/storage.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { Leases } from '../maintenance/lease.ts';
import { runTask } from '../maintenance/task.ts';
import { maintenanceTasks } from '../maintenance/tasks.ts';
import { FakeTime } from '../maintenance/testing/stage.ts';
import { type Budget, DEFAULT_BUDGET } from './budget.ts';
import type { EventSchema } from './event-schema.ts';
import { DAY_MS } from './hours.ts';
import type { Batch } from './ingest/ingest.ts';
import { lookForSomeIssues } from './issues/look-for-issues.ts';
import { deriveShape } from './shape.ts';
import { batch, event, KEY, NOW, openIngest } from './testing/batches.ts';
import { test } from './testing/database.ts';

/** How many rows each table of the database has, of those that have any. */
async function countRows(storage: Storage): Promise<Record<string, number>> {
  const { db } = ofTest(storage);
  const counts: Record<string, number> = {};
  for (const { name } of await (db as Kysely<unknown>).introspection.getTables()) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
    const count = Number(rows[0]?.count);
    if (count > 0) counts[name] = count;
  }
  return counts;
}

/** All that maintenance does, now and when what was put down is due. */
async function maintain(storage: Storage): Promise<void> {
  while (await lookForSomeIssues(storage, KEY.workspaceId));
  const limiter = storage.rateLimiter();
  const leases = new Leases({ storage, clock: () => NOW });
  const { pace } = new FakeTime();
  const { signal } = new AbortController();
  for (const clock of [() => NOW, () => NOW + 2 * DAY_MS]) {
    for (const task of maintenanceTasks({ storage, limiter, clock, sharedClock: () => NOW })) {
      expect(await runTask(task, { leases, pace, signal, when: 'now' })).toBe('done');
    }
  }
}

const ints = (...names: string[]): EventSchema => names.map((name) => ({ name, type: 'int' as const }));

interface Refused {
  budget?: Partial<Budget>;
  maxShapes?: number;
  /** Of each round others. */
  version?: (round: string) => string;
  events: (round: string) => unknown[];
}

const REFUSED: [what: string, refused: Refused][] = [
  ['app versions', { budget: { appVersions: 1 }, version: (round) => `2.${round}`, events: () => [event()] }],
  ['event names', { budget: { eventNames: 1 }, events: (round) => [event({ eventName: `Event ${round}` })] }],
  ['shapes', { budget: { shapes: 1 }, events: (round) => [event({ schema: ints(round) })] }],
  ['properties', { budget: { properties: 0 }, events: (round) => [event({ schema: ints(round) })] }],
  ['bytes', { budget: { bytes: 2_000 }, events: (round) => [event({ eventName: round.padEnd(900, 'x') })] }],
  ['shapes of a version', { maxShapes: 0, events: (round) => [event({ schema: ints(round) })] }],
  ['events that break a rule', { events: (round) => [event({ schema: ints(round, round) }), { round }] }],
  [
    'ids of shapes that nobody knows',
    {
      events: (round) => {
        const { schema: _, ...rest } = event();
        return [{ ...rest, shapeId: deriveShape(`Unknown ${round}`, []).id }];
      },
    },
  ],
];

/** A key gets 81 % of it. */
const TWICE: Budget = {
  appVersions: 2 * DEFAULT_BUDGET.appVersions,
  eventNames: 2 * DEFAULT_BUDGET.eventNames,
  shapes: 2 * DEFAULT_BUDGET.shapes,
  properties: 2 * DEFAULT_BUDGET.properties,
  bytes: 2 * DEFAULT_BUDGET.bytes,
};

test('a source has a number once something of it is accepted, whoever is refused at the same time', async ({
  storage,
}) => {
  const [refusing, accepting] = [openIngest({ storage, maxShapes: 0 }), openIngest({ storage })];
  const sources = Array.from({ length: 20 }, (_, index) => `source ${index}`);
  const sent = await Promise.all(
    sources.map(async (source) => {
      const kept = batch([event()]);
      const key = { ...KEY, source };
      const [refused, { accepted }] = await Promise.all([
        refusing.take(key, batch([event()], { version: '2.0' })),
        accepting.take(key, kept),
      ]);
      expect([refused.accepted, accepted]).toEqual([0, 1]);
      return { key, kept };
    }),
  );
  for (const { key, kept } of sent) {
    expect(await accepting.take(key, { ...kept, batchId: batch([]).batchId })).toMatchObject({ duplicates: 1 });
  }
  const rows = await ofTest(storage).db.selectFrom('sources').select(['source', 'source_number']).execute();
  expect(rows.map(({ source }) => source).toSorted()).toEqual(sources.toSorted());
  await refusing.close();
  await accepting.close();
});

test.for(REFUSED)('what is refused leaves nothing that grows: %s', async ([, refused], { storage }) => {
  const accepting = openIngest({ storage });
  expect(await accepting.take(KEY, batch([event()]))).toMatchObject({ accepted: 1 });
  await accepting.close();
  const { budget, maxShapes = 10_000, version = () => '1.0', events } = refused;
  const ingest = openIngest({ storage, budget: { ...TWICE, ...budget }, maxShapes });
  const send = async (round: string, key: ApiKey): Promise<void> => {
    for (const environment of ['prod', 'dev'] as const) {
      const sent = batch(events(`${round} ${key.keyId} ${environment}`), { version: version(round), environment });
      // Some of the events are none.
      expect(await ingest.take(key, sent as Batch)).toMatchObject({ accepted: 0, duplicates: 0 });
    }
  };
  const sendAll = async (round: string): Promise<void> => {
    await send(round, KEY);
    await send(round, { ...KEY, keyId: `key ${round}` });
  };
  const sendOfOthers = async (sources: readonly string[]): Promise<void> => {
    for (const source of sources) await send('others', { ...KEY, keyId: `key of ${source}`, source });
  };

  // Also before it is looked at.
  await sendAll('first');
  await sendOfOthers(['one']);
  const unseen = await countRows(storage);
  await sendAll('second');
  await sendOfOthers(['two', 'three']);
  expect(await countRows(storage)).toEqual(unseen);

  await maintain(storage);
  const seen = await countRows(storage);
  for (const round of ['third', 'fourth']) await sendAll(round);
  await maintain(storage);
  expect(await countRows(storage)).toEqual(seen);

  // A source has issues of its own, which have a bound of their own.
  await sendOfOthers(['four', 'five']);
  await maintain(storage);
  expect({ ...(await countRows(storage)), issues: 0 }).toEqual({ ...seen, issues: 0 });
  await ingest.close();
});
