// @module-tag both-engines
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventProperties } from '../../inspector/reports/event-properties.ts';
import { eventSummaries } from '../../inspector/reports/event-summaries.ts';
import { eventVolume } from '../../inspector/reports/event-volume.ts';
import { settleCounts } from '../../inspector/ingest/pending-counts.ts';
import { batch, event, KEY, NOW, openIngest } from '../../inspector/testing/batches.ts';
import { deriveShape } from '../../inspector/shape.ts';
import { openStorage } from '../open.ts';
import { newDatabase } from '../testing/databases.ts';
import { openAsBefore } from '../testing/open-as-before.ts';

const VERSIONS = Array.from({ length: 12 }, (_, index) => `1.${index}`);
const { id, schema } = deriveShape('Paid', [{ name: 'price', type: 'int' }]);

/** Twelve versions of an app that send one shape in production, the first one in development too. */
async function fill(db: Kysely<unknown>): Promise<void> {
  const dev = { version: '1.0', environment: 'dev', at: 1 };
  const places = [dev, ...VERSIONS.map((version, index) => ({ version, environment: 'prod', at: 10 + index }))];
  const statements = [
    `insert into workspaces (workspace_id, hash_key_id, created_at) values ('demo', 'key', 1)`,
    `insert into sources values ('demo', 'shop', 1)`,
    `insert into event_names values ('demo', 'Paid', 'Paid')`,
    `insert into shapes values ('demo', 'Paid', '${id}', '${schema}')`,
    ...['dev', 'prod'].map(
      (environment) => `insert into source_shapes values ('demo', 'Paid', '${id}', 'shop', '${environment}')`,
    ),
    ...VERSIONS.map((version) => `insert into app_versions values ('demo', 'shop', '${version}', 1)`),
    ...places.flatMap(({ version, environment, at }) => [
      `insert into observed_events values ('demo', 'Paid', 'shop', '${version}', '${environment}', 'Paid', 2, 1, ${at}, ${at + 1})`,
      `insert into observed_shapes values ('demo', 'Paid', 'shop', '${version}', '${environment}', '${id}', 'Paid', 2, ${at}, ${at + 1})`,
    ]),
    `insert into observed_types values ('demo', 'Paid', '["price"]', 'int', 'shop', 'prod', '1.0', 1)`,
    `insert into observed_types values ('demo', 'Paid', '["price"]', 'int', 'shop', 'dev', '1.0', 1)`,
    `insert into observed_properties values ('demo', 'Paid', '["price"]', 'Paid', '["price"]', 'int', 0)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

test('what was observed before is in the totals, and what comes is added to it', async () => {
  const { location, remove } = await newDatabase({ empty: true });
  const db = await openAsBefore(location, '0010');
  await fill(db);
  await db.destroy();
  const storage = await openStorage(location);
  const summary = async (filter = {}) => (await eventSummaries(storage, 'demo', filter, NOW))?.entries;

  const common = { eventName: 'Paid', shapes: 1, sources: { names: ['shop'], total: 1 }, conflicts: 0 };
  const newest = VERSIONS.toReversed().slice(0, 10);
  expect(await summary()).toMatchObject([
    {
      ...common,
      count: 26,
      environments: ['dev', 'prod'],
      appVersions: { newest, total: 12 },
      firstSeen: iso(1),
      lastSeen: iso(22),
    },
  ]);
  expect(await summary({ environment: 'dev' })).toMatchObject([
    { ...common, count: 2, environments: ['dev'], appVersions: { newest: ['1.0'], total: 1 } },
  ]);
  expect(await eventProperties(storage, 'demo', { eventName: 'Paid' })).toMatchObject({
    count: 26,
    properties: [{ presence: 1, count: 26, firstSeen: iso(1), lastSeen: iso(22) }],
  });

  const ingest = openIngest({ storage });
  const paid = event({ eventName: 'Paid', schema: [{ name: 'price', type: 'int' }] });
  await ingest.take(KEY, batch([paid], { version: '1.0', environment: 'prod' }));
  await ingest.take(KEY, batch([event({ ...paid, messageId: event().messageId })], { version: '2.0' }));
  await settleCounts(storage, 'demo');
  expect(await summary()).toMatchObject([
    { ...common, count: 28, appVersions: { newest: ['2.0', ...newest.slice(0, 9)], total: 13 }, lastSeen: iso(NOW) },
  ]);
  const { total, series } = await eventVolume(storage, 'demo', { split: 'appVersion' }, NOW);
  expect(total.at(-1)).toBe(2);
  expect(series.map(({ name }) => name)).toEqual(['2.0']);
  await ingest.close();
  await storage.close();
  await remove();
});

const iso = (at: number): string => new Date(at).toISOString();
