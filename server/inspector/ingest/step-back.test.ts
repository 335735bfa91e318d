// @module-tag both-engines
import { sql } from 'kysely';
import { expect } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { testedEngine } from '../../storage/testing/databases.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { keepCopy } from '../../storage/testing/step-back.ts';
import { eventProperties } from '../reports/event-properties.ts';
import { eventSummaries } from '../reports/event-summaries.ts';
import { batch, event, KEY, NOW, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { settledEvents, settledShapes } from '../testing/settled-reports.ts';
import type { Ingest } from './ingest.ts';
import { settleCounts } from './pending-counts.ts';

/** A database that goes back to an earlier state while servers run, and what an earlier version has made of one that did. */

const WEB = { ...KEY, source: 'web' };
const TV = { ...KEY, source: 'tv' };

const checkout = () => event({ eventName: 'Checkout', schema: [{ name: 'price', type: 'float' }] });

async function take(ingest: Ingest, key: typeof KEY, times: number, version: string, made = checkout): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expect(await ingest.take(key, batch([made()], { version }))).toMatchObject({ accepted: 1 });
  }
}

async function reports(storage: Storage, workspaceId: string) {
  return {
    events: (await settledEvents(storage, workspaceId, {}))?.entries,
    shapes: (await settledShapes(storage, workspaceId, {}))?.entries,
    summaries: (await eventSummaries(storage, workspaceId, {}, NOW))?.entries,
    properties: await eventProperties(storage, workspaceId, { eventName: 'Checkout' }),
  };
}

if (testedEngine() === 'postgres')
  test('what came after an earlier copy was made is brought anew once the copy is in place', async ({
    location,
    storage,
  }) => {
    const servers = [storage, await openStorage(location)] as const;
    const [one, other] = [openIngest({ storage: servers[0] }), openIngest({ storage: servers[1] })];
    await take(one, KEY, 1, '1.0', event);
    const copy = await keepCopy(location);
    await take(one, WEB, 3, '2.0');
    await copy.putBack();

    const losses: number[] = [];
    for (const { lives } of servers) lives.onLoss((_, events) => losses.push(events));
    // The source "tv" gets the number that "web" had.
    await take(other, TV, 2, '3.0');
    const seen = checkout();
    for (const key of [TV, WEB, TV, WEB]) await one.take(key, batch([seen], { version: '3.0' }));
    await take(one, WEB, 4, '2.0');
    await take(other, WEB, 1, '2.0');

    for (const server of servers) {
      const { events, shapes, summaries, properties } = await reports(server, 'demo');
      expect(events).toMatchObject([
        { eventName: 'Checkout', source: 'tv', appVersion: '3.0', count: 3, shapes: 1 },
        { eventName: 'Checkout', source: 'web', appVersion: '2.0', count: 5, shapes: 1 },
        { eventName: 'Checkout', source: 'web', appVersion: '3.0', count: 1, shapes: 1 },
        { eventName: 'Viewed', source: 'shop', appVersion: '1.0', count: 1, shapes: 1 },
      ]);
      expect(shapes?.map(({ schema }) => schema)).toContainEqual([{ name: 'price', type: 'float' }]);
      expect(summaries).toMatchObject([
        { eventName: 'Checkout', count: 9, shapes: 2, appVersions: { total: 2 } },
        { eventName: 'Viewed', count: 1 },
      ]);
      expect(properties).toMatchObject({ count: 9, properties: [{ property: ['price'], count: 9 }] });
    }
    const sources = await ofTest(storage).db.selectFrom('sources').select('source').orderBy('source_number').execute();
    expect(sources.map(({ source }) => source)).toEqual(['shop', 'tv', 'web']);
    expect(losses).toEqual([]);
    await servers[1].close();
  });

test('counts of what is not there make no row, and are told as lost', async ({ storage }) => {
  const ingest = openIngest({ storage });
  await take(ingest, KEY, 1, '1.0', event);
  await take(ingest, WEB, 3, '2.0');
  const { db } = ofTest(storage);
  const lost = ['observed_shapes', 'observed_events', 'source_shapes', 'event_totals'] as const;
  for (const table of lost) await db.deleteFrom(table).where('source', '=', 'web').execute();
  const losses: unknown[] = [];
  storage.lives.onLoss((...loss) => losses.push(loss));
  await settleCounts(storage, 'demo');
  expect(losses).toEqual([['demo', 3]]);
  for (const table of lost) {
    const sources = await db.selectFrom(table).select('source').execute();
    expect(new Set(sources.map(({ source }) => source)), table).toEqual(new Set(['shop']));
  }
  // What was remembered is not trusted any more.
  await take(ingest, WEB, 2, '2.0');
  expect((await reports(storage, 'demo')).events).toMatchObject([
    { eventName: 'Checkout', count: 2, shapes: 1 },
    { eventName: 'Viewed', count: 1, shapes: 1 },
  ]);
  expect(losses).toHaveLength(1);
});

for (const [what, first] of [
  ['', []],
  [', also when another source has brought it before', [TV]],
] as const)
  test(`rows that were made of counts alone are whole once their event comes again${what}`, async ({ storage }) => {
    const workspaces = ['demo', 'other'];
    const ingest = openIngest({ storage });
    for (const workspaceId of workspaces) {
      await take(ingest, { ...WEB, workspaceId }, 3, '2.0');
      await settleCounts(storage, workspaceId);
    }
    await leaveCountsAlone(storage, 'demo');
    // A server that remembers nothing.
    const later = openIngest({ storage });
    for (const workspaceId of workspaces) {
      for (const key of [...first, WEB]) await take(later, { ...key, workspaceId }, 1, '2.0');
      await take(later, { ...WEB, workspaceId }, 1, '3.0');
    }
    expect(await reports(storage, 'demo')).toEqual(await reports(storage, 'other'));
    const versions = ofTest(storage).db.selectFrom('app_versions').select(['source', 'app_version', 'shapes']);
    const [mended, sound] = await Promise.all(
      workspaces.map((id) =>
        versions.where('workspace_id', '=', id).orderBy('app_version').orderBy('source').execute(),
      ),
    );
    expect(mended).toEqual(sound);
  });

/** As an earlier version left them where the database had lost the rest. */
async function leaveCountsAlone(storage: Storage, workspaceId: string): Promise<void> {
  const { db } = ofTest(storage);
  const lost = ['shapes', 'event_names', 'app_versions', 'observed_types', 'observed_properties'] as const;
  for (const table of lost) await db.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
  const here = sql<boolean>`workspace_id = ${workspaceId}`;
  await db.updateTable('observed_shapes').set({ event_name: '' }).where(here).execute();
  await db.updateTable('observed_events').set({ event_name: '', shapes: 0 }).where(here).execute();
  await db.updateTable('event_totals').set({ versions: 0, newest_versions: '[]', shapes: 0 }).where(here).execute();
}
