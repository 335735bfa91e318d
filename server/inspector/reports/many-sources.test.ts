// @module-tag both-engines
import { CompiledQuery, sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NO_HOURS } from '../hours.ts';
import { NOW } from '../testing/batches.ts';
import { captureQueries } from '../testing/capture-queries.ts';
import { test } from '../testing/database.ts';
import { readsInTurns } from '../testing/reads-in-turns.ts';
import { eventSummaries, type SummaryQuery } from './event-summaries.ts';
import { eventVolume } from './event-volume.ts';

const summaries = (storage: Storage, query: SummaryQuery = {}) => eventSummaries(storage, 'demo', query, NOW);

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
    const sent = await captureQueries(storage, async (storage) => {
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
    const sent = await captureQueries(storage, async (storage) => {
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
