// @module-tag both-engines
import { CompiledQuery, sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { testedEngine } from '../../storage/testing/databases.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { eventProperties } from './event-properties.ts';
import { eventSummaries, type SummaryQuery } from './event-summaries.ts';
import { eventVolume } from './event-volume.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { observedEvents } from './observations-report.ts';
import { batch, event, eventWith, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { NO_HOURS } from '../hours.ts';
import { combineFilters } from '../testing/filters.ts';
import { readsInTurns } from '../testing/reads-in-turns.ts';

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

describe('of a workspace with thousands of sources', () => {
  const SOURCES = 3_000;
  const DAYS = ['2026-01-01', '2026-01-02'];
  const name = (index: number) => `app ${String(index).padStart(4, '0')}`;
  /** The last have most. */
  const fill = async (storage: Storage): Promise<void> => {
    const { db } = ofTest(storage);
    const all = Array.from({ length: SOURCES }, (_, index) => index);
    for (let start = 0; start < SOURCES; start += 500) {
      const some = all.slice(start, start + 500);
      const of = (index: number) => ({ workspace_id: 'demo', source: name(index) });
      const counts = { count: 1, first_seen: NOW, last_seen: NOW };
      await db
        .insertInto('sources')
        .values(some.map((index) => ({ ...of(index), source_number: index + 1 })))
        .execute();
      for (const [environment, event_key] of [
        ['', ''],
        ['', 'Viewed'],
        ['prod', 'Viewed'],
      ] as const) {
        const totals = { environment, event_key, versions: 1, shapes: 1, ...counts };
        const newest_versions = (index: number) => JSON.stringify([[`1.${index}`, NOW + index]]);
        await db
          .insertInto('event_totals')
          .values(some.map((index) => ({ ...of(index), ...totals, newest_versions: newest_versions(index) })))
          .execute();
      }
      for (const day of DAYS) {
        const volume = { ...NO_HOURS, event_key: 'Viewed', app_version: '', day, environment: 'prod' as const };
        await db
          .insertInto('event_volumes')
          .values(some.map((index) => ({ ...of(index), ...volume, h3: index })))
          .execute();
      }
    }
    await db
      .insertInto('event_names')
      .values({ workspace_id: 'demo', event_key: 'Viewed', event_name: 'Viewed' })
      .execute();
  };
  const all = (SOURCES * (SOURCES - 1)) / 2;

  /** How many rows each statement adds up. */
  const addedUp = async (storage: Storage, sent: readonly CompiledQuery[]) => {
    const counts: number[] = [];
    for (const { sql, parameters } of sent.filter(({ sql }) => sql.includes('from "event_volumes"'))) {
      const count = sql.replace(/^select .* from/, 'select count(*) as rows from').replace(/ group by .*/, '');
      const { rows } = await ofTest(storage).db.executeQuery<{ rows: number }>(
        CompiledQuery.raw(`${count} /* a test */`, [...parameters]),
      );
      counts.push(Number(rows[0]?.rows));
    }
    return counts;
  };

  test.for(['day', 'hour'] as const)('a volume by the %s names the ten largest', async (step, { storage }) => {
    await fill(storage);
    let volume: Awaited<ReturnType<typeof eventVolume>> | undefined;
    const sent = await queriesOf(storage, async (storage) => {
      volume = await eventVolume(storage, 'demo', { eventName: 'Viewed', split: 'source', step }, NOW);
    });
    expect(Math.max(...(await addedUp(storage, sent)))).toBeLessThanOrEqual(2_000);
    expect(volume?.total.reduce((sum, count) => sum + count, 0)).toBe(all * DAYS.length);
    expect(volume?.series.map((one) => one.name)).toEqual(
      Array.from({ length: 10 }, (_, place) => name(SOURCES - 1 - place)),
    );
    expect(volume?.series[0]?.counts.filter((count) => count > 0)).toEqual([SOURCES - 1, SOURCES - 1]);
  });

  test('a volume without the first hours of a day leaves out who had events only then', async ({ storage }) => {
    await fill(storage);
    const { db } = ofTest(storage);
    const before = { ...NO_HOURS, h0: 1_000_000 };
    const early = { workspace_id: 'demo', event_key: 'Viewed', app_version: '', environment: 'dev' as const };
    await db
      .insertInto('event_volumes')
      .values({ ...before, ...early, day: '2025-12-31', source: name(0) })
      .execute();
    const { series } = await eventVolume(storage, 'demo', { split: 'source', step: 'hour', eventName: 'Viewed' }, NOW);
    expect(series.map((one) => one.name)).not.toContain(name(0));
  });

  test('a summary counts them all', async ({ storage }) => {
    await fill(storage);
    let page: Awaited<ReturnType<typeof summaries>>;
    const sent = await queriesOf(storage, async (storage) => {
      page = await summaries(storage);
    });
    expect(page?.entries).toMatchObject([
      {
        count: SOURCES,
        sources: { total: SOURCES },
        days: expect.arrayContaining([all]),
        appVersions: { newest: expect.arrayContaining([`1.${SOURCES - 1}`]), total: SOURCES },
      },
    ]);
    expect(Math.max(...(await addedUp(storage, sent)))).toBeLessThanOrEqual(2_000);
    expect((await summaries(storage, { source: name(7) }))?.entries).toMatchObject([
      { count: 1, sources: { names: [name(7)], total: 1 }, days: expect.arrayContaining([7]) },
    ]);
  });

  test('a summary reads no more than a thousand rows in a turn, of all versions and of one', async ({ storage }) => {
    await fill(storage);
    await sql`insert into observed_events (workspace_id, event_key, source, app_version, environment, event_name, shapes,
        count, first_seen, last_seen)
      select workspace_id, event_key, source, '1.0', environment, event_key, 1, count, first_seen, last_seen
      from event_totals where workspace_id = 'demo' and environment = 'prod'`.execute(ofTest(storage).db);
    const pages: Awaited<ReturnType<typeof summaries>>[] = [];
    const turns = await readsInTurns(storage, async () => {
      for (const query of [{}, { appVersion: '1.0' }]) pages.push(await summaries(storage, query));
    });
    const names = Array.from({ length: 10 }, (_, index) => name(index));
    const sources = { names, total: SOURCES };
    for (const page of pages)
      expect(page?.entries).toMatchObject([{ count: SOURCES, sources, environments: ['prod'] }]);
    expect(Math.max(...turns.map(({ rows }) => rows))).toBeLessThanOrEqual(1_000);
  });

  test('the newest app versions are those of all of them', async ({ storage }) => {
    await fill(storage);
    const { db } = ofTest(storage);
    await db
      .insertInto('event_volumes')
      .values({
        ...NO_HOURS,
        workspace_id: 'demo',
        event_key: 'Viewed',
        app_version: `1.${SOURCES - 1}`,
        day: DAYS[1] ?? '',
        source: name(0),
        environment: 'prod',
        h2: 7,
      })
      .execute();
    const { series } = await eventVolume(storage, 'demo', { eventName: 'Viewed', split: 'appVersion' }, NOW);
    expect(series).toMatchObject([{ name: `1.${SOURCES - 1}` }]);
  });
});

test('a page of properties ends early where their names are long, and the next goes on', async ({ storage }) => {
  const ingest = openIngest({ storage });
  const names = Array.from({ length: 180 }, (_, index) => `${index}`.padStart(1_000, '\u0001'));
  for (let start = 0; start < names.length; start += 60) {
    const schema = names.slice(start, start + 60).map((name) => ({ name, type: 'int' as const }));
    await ingest.take(KEY, batch([event({ eventName: 'Viewed', schema })]));
  }
  await settleCounts(storage, 'demo');
  const walked: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await eventProperties(storage, 'demo', { eventName: 'Viewed', limit: 200, cursor });
    expect(JSON.stringify(page).length).toBeLessThan(300_000);
    walked.push(...(page?.properties ?? []).map(({ property }) => property.join('.')));
    cursor = page?.nextCursor ?? null;
  }
  expect(walked.toSorted()).toEqual(names.toSorted());
});

describe('where sources and app versions have long names', () => {
  const TYPES = ['int', 'float', 'boolean', 'string', 'null'] as const;
  const PROPERTIES = Array.from({ length: 30 }, (_, index) => `p${String(index).padStart(2, '0')}`);
  const EVENTS = Array.from({ length: 60 }, (_, index) => `e${String(index).padStart(2, '0')}`);
  /** JSON writes each character as six. */
  const longName = (index: number) => `${index}`.padStart(100, '\u0001');

  async function sendAll(storage: Storage): Promise<void> {
    const ingest = openIngest({ storage });
    const events = EVENTS.map((eventName) => event({ eventName }));
    const typed = TYPES.map((type) =>
      event({ eventName: 'Typed', schema: PROPERTIES.map((name) => ({ name, type })) }),
    );
    for (let index = 0; index < 10; index += 1) {
      const version = longName(index);
      await ingest.take({ ...KEY, source: longName(index) }, batch([...events, ...typed], { version }));
    }
    await settleCounts(storage, 'demo');
  }

  test.for([
    [
      'properties',
      async (storage: Storage, cursor: string | undefined) => {
        const page = await eventProperties(storage, 'demo', { eventName: 'Typed', limit: 200, cursor });
        return page && { names: page.properties.map(({ property }) => property.join('.')), ...page };
      },
      PROPERTIES,
    ],
    [
      'summaries',
      async (storage: Storage, cursor: string | undefined) => {
        const page = await summaries(storage, { limit: 200, cursor });
        return page && { names: page.entries.map(({ eventName }) => eventName), ...page };
      },
      ['Typed', ...EVENTS],
    ],
    [
      'events',
      async (storage: Storage, cursor: string | undefined) => {
        const page = await observedEvents(storage, 'demo', { limit: 200, cursor });
        return page && { names: page.entries.map(({ eventName, source }) => `${eventName} ${source}`), ...page };
      },
      ['Typed', ...EVENTS].flatMap((name) => Array.from({ length: 10 }, (_, index) => `${name} ${longName(index)}`)),
    ],
  ] as const)('a page of %s ends early, and the next goes on', async ([, readPage, all], { storage }) => {
    await sendAll(storage);
    const walked: string[] = [];
    let pages = 0;
    for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
      const page = await readPage(storage, cursor);
      if (page === undefined) throw new Error('It has no such page.');
      const { names, ...shown } = page;
      expect(JSON.stringify(shown).length).toBeLessThan(350_000);
      walked.push(...names);
      cursor = page.nextCursor;
    }
    expect(walked.toSorted()).toEqual(all.toSorted());
    expect(pages).toBeGreaterThan(2);
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
      const sent = await queriesOf(storage, async (storage) => {
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

/** What is sent while the work is done. */
async function queriesOf(storage: Storage, work: (storage: Storage) => Promise<void>): Promise<CompiledQuery[]> {
  const sent = new Map<string, CompiledQuery>();
  const db = storage.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const executor = db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = (query, ...rest) => {
    sent.set(JSON.stringify([query.sql, query.parameters]), query);
    return execute(query, ...rest);
  };
  await work({ ...storage, db });
  return [...sent.values()];
}
