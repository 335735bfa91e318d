// @module-tag both-engines
import { CompiledQuery } from 'kysely';
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { testedEngine } from '../../storage/testing/databases.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { eventProperties } from './event-properties.ts';
import { eventSummaries, type SummaryQuery } from './event-summaries.ts';
import { eventVolume } from './event-volume.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { batch, event, eventWith, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { captureQueries } from '../testing/capture-queries.ts';
import { combineFilters } from '../testing/filters.ts';

const summaries = (storage: Storage, query: SummaryQuery = {}) => eventSummaries(storage, 'demo', query, NOW);

describe('event summaries', () => {
  test('name ten sources and app versions, and count all', async ({ storage }) => {
    let now = NOW;
    const ingest = openIngest({ storage, clock: () => (now += 1) });
    for (let app = 0; app < 12; app += 1) {
      await ingest.take(
        { ...KEY, source: `app ${String(app).padStart(2, '0')}` },
        batch([event()], { version: `${app}` }),
      );
    }
    await settleCounts(storage, 'demo');
    const [summary] = (await summaries(storage))?.entries ?? [];
    expect([summary?.sources.total, summary?.sources.names.length, summary?.sources.names[0]]).toEqual([
      12,
      10,
      'app 00',
    ]);
    expect(summary?.appVersions).toEqual({ newest: ['11', '10', '9', '8', '7', '6', '5', '4', '3', '2'], total: 12 });
  });

  test('count type conflicts up to more than a hundred', async ({ storage }) => {
    const ingest = openIngest({ storage });
    const all = (type: 'int' | 'string') =>
      event({ schema: Array.from({ length: 120 }, (_, index) => ({ name: `p${index}`, type })) });
    await ingest.take(KEY, batch([all('int'), all('string')]));
    await settleCounts(storage, 'demo');
    expect((await summaries(storage))?.entries).toMatchObject([{ conflicts: 101 }]);
  });

  test('a search looks at 5,000 names for a page, and the next one goes on', async ({ storage }) => {
    const ingest = openIngest({ storage });
    await ingest.take(KEY, batch([event({ eventName: 'Last' })]));
    await settleCounts(storage, 'demo');
    const { db } = ofTest(storage);
    const total = await db
      .selectFrom('event_totals')
      .selectAll()
      .where('event_key', '=', 'Last')
      .executeTakeFirstOrThrow();
    const keys = Array.from({ length: 5_500 }, (_, index) => `Event ${String(index).padStart(5, '0')}`);
    for (let start = 0; start < keys.length; start += 500) {
      const some = keys.slice(start, start + 500);
      const names = some.map((key) => ({ workspace_id: 'demo', event_key: key, event_name: key }));
      await db.insertInto('event_names').values(names).execute();
      const totals = some.map((key) => ({ ...total, environment: '' as const, event_key: key }));
      await db.insertInto('event_totals').values(totals).execute();
    }
    const first = await summaries(storage, { text: 'LAST' });
    expect(first?.entries).toEqual([]);
    const second = await summaries(storage, { text: 'LAST', cursor: first?.nextCursor ?? '' });
    expect(second).toMatchObject({ entries: [{ eventName: 'Last' }], nextCursor: null });
  });

  test('take only a cursor of their own, for the same filter, and see nothing of another workspace', async ({
    storage,
  }) => {
    const ingest = openIngest({ storage });
    await ingest.take(KEY, batch([event(), event({ eventName: 'Paid' })]));
    await ingest.take({ ...KEY, workspaceId: 'other' }, batch([event({ eventName: 'Secret' })]));
    await settleCounts(storage, 'demo');
    await settleCounts(storage, 'other');
    const page = await summaries(storage, { limit: 1 });
    const cursor = page?.nextCursor ?? '';
    expect((await summaries(storage, { cursor }))?.entries.map(({ eventName }) => eventName)).toEqual(['Viewed']);
    expect(await summaries(storage, { cursor, text: 'x' })).toBeUndefined();
    expect(await summaries(storage, { cursor: 'nonsense' })).toBeUndefined();
    expect((await eventSummaries(storage, 'other', {}, NOW))?.entries.map(({ eventName }) => eventName)).toEqual([
      'Secret',
    ]);
    expect((await eventProperties(storage, 'other', { eventName: 'Viewed' }))?.count).toBe(0);
    expect((await eventVolume(storage, 'other', { eventName: 'Viewed' }, NOW)).total.every((one) => one === 0)).toBe(
      true,
    );
  });
});
test('past 1,000 shapes the properties are those of a choice that is the same each time', async ({ storage }) => {
  const ingest = openIngest({ storage });
  for (const part of [0, 1]) {
    const shapes = Array.from({ length: 600 }, (_, index) => ({
      schema: [
        { name: 'always', type: 'int' as const },
        { name: `p${part}-${index}`, type: 'int' as const },
      ],
    }));
    await ingest.take(KEY, batch(shapes.map((one) => event(one))));
  }
  await settleCounts(storage, 'demo');
  const page = await eventProperties(storage, 'demo', { eventName: 'Viewed', limit: 1 });
  expect(page).toMatchObject({
    count: 1_000,
    sampled: true,
    properties: [{ property: ['always'], presence: 1, count: 1_000 }],
  });
  expect(await eventProperties(storage, 'demo', { eventName: 'Viewed', limit: 1 })).toEqual(page);
});

// PostgreSQL chooses plans by the sizes of tables.
if (testedEngine() === 'sqlite')
  describe('every query reads ranges of an index', () => {
    const filters = combineFilters({ eventName: 'Viewed', source: 'shop', appVersion: '1.0', environment: 'prod' });

    test('whatever the filter', async ({ storage }) => {
      await openIngest({ storage }).take(KEY, batch([eventWith('a'), eventWith('a', 'string')]));
      await settleCounts(storage, 'demo');
      const sent = await captureQueries(storage, async (storage) => {
        for (const filter of filters) {
          await summaries(storage, filter);
          await summaries(storage, { ...filter, text: 'v', conflicting: 'true' });
          await eventProperties(storage, 'demo', { ...filter, eventName: 'Viewed' });
          for (const split of [undefined, 'source', 'appVersion'] as const) {
            await eventVolume(storage, 'demo', { ...filter, split }, NOW);
          }
        }
      });
      expect(sent.length).toBeGreaterThan(20);
      for (const query of sent) {
        const { rows } = await storage.db.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
        );
        const plan = rows.map(({ detail }) => detail);
        const tables = plan.filter(
          (line) => /^(SEARCH|SCAN) /.test(line) && !/(SCAN|SEARCH) (some|\d+-ROW|\(subquery|CONSTANT)/.test(line),
        );
        for (const line of tables)
          expect(line, `${query.sql}\n${plan.join('\n')}`).toMatch(
            /^SEARCH (sources .*\(workspace_id=\?|.*\(workspace_id=\? AND)/,
          );
      }
    });
  });
