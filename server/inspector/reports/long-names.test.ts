// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { eventProperties } from './event-properties.ts';
import { eventSummaries } from './event-summaries.ts';
import { observedEvents } from './observations-report.ts';

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
        const page = await eventSummaries(storage, 'demo', { limit: 200, cursor }, NOW);
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
