// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { Page, ReportQuery } from './paging.ts';
import { batch, event, KEY, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { settledEvents, settledShapes } from '../testing/settled-reports.ts';
import { combineFilters } from '../testing/filters.ts';

const REPORTS = { observedEvents: settledEvents, observedShapes: settledShapes };

const SOURCES = ['shop', 'other'];
const VERSIONS = ['1.0', '1.1', '2.0'];
const ENVIRONMENTS = ['dev', 'prod'] as const;
const NAMES = ['Bought', 'Viewed', 'x'.repeat(1_000)];

/** Every event in every place, each with two shapes: 36 rows of events, 72 of shapes. */
async function fill(storage: Storage): Promise<void> {
  const ingest = openIngest({ storage });
  for (const source of SOURCES) {
    for (const version of VERSIONS) {
      for (const environment of ENVIRONMENTS) {
        const events = NAMES.flatMap((eventName) => [
          event({ eventName }),
          event({ eventName, schema: [{ name: 'a', type: 'int' }] }),
        ]);
        await ingest.take({ ...KEY, source }, batch(events, { version, environment }));
      }
    }
  }
  await ingest.take({ ...KEY, workspaceId: 'other' }, batch([event({ eventName: 'Secret' })]));
}

const FILTERS = combineFilters({
  eventName: 'x'.repeat(1_000),
  source: 'shop',
  appVersion: '1.1',
  environment: 'prod',
});

describe.for(['observedEvents', 'observedShapes'] as const)('%s', (name) => {
  const report = (storage: Storage, query: ReportQuery): Promise<Page<object> | undefined> =>
    REPORTS[name](storage, 'demo', query);

  test('page by page gives what one page gives, with every combination of filters', async ({ storage }) => {
    await fill(storage);
    const all = (await report(storage, { limit: 200 }))?.entries ?? [];
    expect(all).toHaveLength(name === 'observedEvents' ? 36 : 72);
    for (const filter of FILTERS) {
      const paged = await allPages((query) => report(storage, { ...filter, limit: 5, ...query }));
      const expected = all.filter((entry) => includes(entry, filter));
      expect(paged).toHaveLength(expected.length);
      expect(new Set(paged.map((entry) => JSON.stringify(entry)))).toEqual(
        new Set(expected.map((entry) => JSON.stringify(entry))),
      );
    }
  });

  test('a page that is just full is the last one', async ({ storage }) => {
    await openIngest({ storage }).take(KEY, batch(['a', 'b'].map((eventName) => event({ eventName }))));
    const page = await report(storage, { limit: 2 });
    expect([page?.entries.length, page?.nextCursor]).toEqual([2, null]);
  });

  test('takes only a cursor of its own, for the same filter', async ({ storage }) => {
    await fill(storage);
    const other = name === 'observedEvents' ? 'observedShapes' : 'observedEvents';
    const cursor = (await report(storage, { limit: 1 }))?.nextCursor ?? '';
    expect(await report(storage, { cursor })).toBeDefined();
    expect(await report(storage, { cursor, source: 'shop' })).toBeUndefined();
    expect(await REPORTS[other](storage, 'demo', { cursor })).toBeUndefined();
    expect(await report(storage, { cursor: 'nonsense' })).toBeUndefined();
  });

  test('sees nothing of another workspace', async ({ storage }) => {
    await fill(storage);
    const page = await REPORTS[name](storage, 'other', {});
    expect(page?.entries).toMatchObject([{ eventName: 'Secret' }]);
  });
});

function includes(entry: object, filter: object): boolean {
  const fields = new Map<string, unknown>(Object.entries(entry));
  return Object.entries(filter).every(([key, value]) => fields.get(key) === value);
}

async function allPages(report: (query: ReportQuery) => Promise<Page<object> | undefined>): Promise<object[]> {
  const entries: object[] = [];
  let cursor: string | undefined;
  do {
    const page = await report({ cursor });
    if (page === undefined) throw new Error('the cursor was refused');
    expect(page.entries.length).toBeLessThanOrEqual(5);
    entries.push(...page.entries);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return entries;
}

test('observedShapes gives the canonical schema', async ({ storage }) => {
  const schema = [
    { name: 'b', type: 'list' as const, items: [{ type: 'string' as const }, { type: 'null' as const }] },
    { name: 'a', type: 'int' as const },
  ];
  await openIngest({ storage }).take(KEY, batch([event({ schema })]));
  const page = await settledShapes(storage, 'demo', {});
  expect(page?.entries[0]?.schema).toEqual([
    { name: 'a', type: 'int' },
    { name: 'b', type: 'list', items: [{ type: 'null' }, { type: 'string' }] },
  ]);
});
