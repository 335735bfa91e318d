// @module-tag both-engines
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { inspectorBudget } from '../../inspector/reports/budget-report.ts';
import { DEFAULT_BUDGET } from '../../inspector/budget.ts';
import { typeConflicts } from '../../inspector/reports/conflict-report.ts';
import { observedEvents, observedShapes } from '../../inspector/reports/observations-report.ts';
import { batch, event, KEY, NOW, openIngest, uuid } from '../../inspector/testing/batches.ts';
import { openStorage } from '../open.ts';
import { newDatabase } from '../testing/databases.ts';
import { openAsBefore } from '../testing/open-as-before.ts';

const SHAPE = `'[{"name":"price","type":"int"}]'`;
const OTHER = `'[{"name":"price","type":"string"}]'`;

/** Two versions of an app with one shape, of which the second has another one too, and one message. */
async function fill(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `insert into workspaces values ('demo', 'key', 1)`,
    ...['1.0', '2.0'].flatMap((version) => [
      `insert into observed_events values ('demo', 'Paid', 'shop', '${version}', 'prod', 'Paid', 2, 1, 5, 6)`,
      `insert into observed_shapes values ('demo', 'Paid', 'shop', '${version}', 'prod', 'a', 'Paid', ${SHAPE}, 2, 5, 6)`,
      `insert into shape_totals values ('demo', 'shop', '${version}', 1)`,
      `insert into observed_types values ('demo', 'Paid', '["price"]', 'shop', '${version}', 'prod', 'int', 1)`,
    ]),
    `insert into observed_shapes values ('demo', 'Paid', 'shop', '2.0', 'prod', 'b', 'Paid', ${OTHER}, 1, 6, 6)`,
    `insert into observed_types values ('demo', 'Paid', '["price"]', 'shop', '2.0', 'prod', 'string', 1)`,
    `insert into observed_properties values ('demo', 'Paid', '["price"]', 'Paid', '["price"]', 'int', 1)`,
    `insert into type_conflicts values ('demo', '[null,null,null]', 'Paid', '["price"]')`,
    `insert into seen_messages values ('demo', 'shop', '${uuid(7)}', ${NOW})`,
    `insert into seen_batches values ('demo', 'shop', '${uuid(8)}', 'digest', ${NOW})`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

test('what was observed before is kept, and a message that was counted before counts once', async () => {
  const { location, remove } = await newDatabase({ empty: true });
  const db = await openAsBefore(location, '0005');
  await fill(db);
  await db.destroy();
  const storage = await openStorage(location);

  const events = await observedEvents(storage, 'demo', {});
  expect(events?.entries.map(({ appVersion, count }) => [appVersion, count])).toEqual([
    ['1.0', 2],
    ['2.0', 2],
  ]);
  const shapes = await observedShapes(storage, 'demo', {});
  expect(shapes?.entries.map(({ appVersion, shapeId, schema }) => [appVersion, shapeId, schema[0]?.type])).toEqual([
    ['1.0', 'a', 'int'],
    ['2.0', 'a', 'int'],
    ['2.0', 'b', 'string'],
  ]);
  const place = { source: 'shop', environment: 'prod' };
  expect((await typeConflicts(storage, 'demo', {}))?.entries[0]?.types).toEqual([
    { type: 'int', shapes: 1, seenIn: [{ ...place, appVersion: '1.0' }] },
    { type: 'string', shapes: 1, seenIn: [{ ...place, appVersion: '2.0' }] },
  ]);
  const { workspace } = await inspectorBudget(storage, 'demo', DEFAULT_BUDGET);
  expect([workspace.appVersions.used, workspace.shapes.used, workspace.properties.used]).toEqual([2, 2, 2]);

  const ingest = openIngest({ storage });
  const again = event({ messageId: uuid(7), observedAt: new Date(NOW).toISOString() });
  expect(await ingest.take(KEY, batch([again, event()]))).toMatchObject({ accepted: 1, duplicates: 1 });
  await ingest.close();
  await storage.close();
  await remove();
});
