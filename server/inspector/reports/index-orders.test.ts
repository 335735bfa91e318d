// @module-tag both-engines
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { newDatabase, type TestDatabase } from '../../storage/testing/databases.ts';
import { gatherStatistics, type QueryPlan, readPlans } from '../../storage/testing/query-plans.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { combineFilters } from '../testing/filters.ts';
import { typeConflicts } from './conflict-report.ts';
import { chooseOrder, type ReportFilter } from './index-orders.ts';
import { columnsOf } from './index-range.ts';
import { observedEvents, observedShapes } from './observations-report.ts';
import { pagingBy } from './paging.ts';
import { type EventInPlace, readShapes } from './place-shapes.ts';
import { eachTypesInVersion } from './version-types.ts';

const SOURCES = 300;
const EVENTS = 40;

/** Of an event, whether seen anywhere or not. */
const SHAPES = 30;

const TABLES = ['observed_events', 'observed_shapes', 'source_shapes', 'shapes', 'observed_properties'] as const;

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await newDatabase({ logged: false });
  storage = await openStorage(database.location);
  await addWorkspaces(storage, 'unlooked', 'known', 'later');
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

/** Whether PostgreSQL gathers statistics, and when: before or after the workspace is filled. */
const STATES: [name: string, workspace: string, gather: 'before' | 'after' | 'never'][] = [
  ['without statistics', 'unlooked', 'never'],
  ['with statistics', 'known', 'after'],
  ['with statistics from before its rows', 'later', 'before'],
];

/**
 * Each of many sources has each event in one version and environment, always of the same shape. Another version has one event of one
 * source, and a third one all shapes of one event.
 */
async function fill(workspace: string): Promise<void> {
  const { db } = ofTest(storage);
  const numbers = (name: string, count: number) =>
    sql`${sql.raw(name)}(i) as (select 0 union all select i + 1 from ${sql.raw(name)} where i + 1 < ${sql.lit(count)})`;
  const withNumbers = sql`with recursive ${numbers('sources', SOURCES)}, ${numbers('events', EVENTS)}, ${numbers('many', SHAPES)}`;
  const of = (source: RawBuilder<unknown>, event: RawBuilder<unknown>, version: string, environment: string) =>
    sql`${sql.lit(workspace)}, 'event ' || (10 + ${event}), 'source ' || (100 + ${source}), ${sql.lit(version)}, ${sql.lit(environment)}`;
  const place = sql.raw('workspace_id, event_key, source, app_version, environment');
  const counts = sql.raw('count, first_seen, last_seen');
  const usual = of(sql`sources.i`, sql`events.i`, '1.0', 'prod');
  const rare = of(sql`7`, sql`7`, '9.9', 'dev');
  const large = of(sql`7`, sql`8`, '2.0', 'staging');
  await sql`insert into observed_shapes (${place}, shape_id, event_name, ${counts}) ${withNumbers}
    select ${usual}, 'shape 10', 'event', 1, 1, 1 from sources cross join events
    union all select ${rare}, 'shape 10', 'event', 1, 1, 1
    union all select ${large}, 'shape ' || (10 + many.i), 'event', 1, 1, 1 from many`.execute(db);
  await sql`insert into observed_events (${place}, event_name, shapes, ${counts}) ${withNumbers}
    select ${usual}, 'event', 1, 1, 1, 1 from sources cross join events
    union all select ${rare}, 'event', 1, 1, 1, 1
    union all select ${large}, 'event', ${sql.lit(SHAPES)}, 1, 1, 1`.execute(db);
  await sql`insert into source_shapes (workspace_id, event_key, shape_id, source, environment, ${counts})
    select workspace_id, event_key, shape_id, source, environment, 1, 1, 1 from observed_shapes
    where workspace_id = ${workspace}`.execute(db);
  await sql`insert into shapes (workspace_id, event_key, shape_id, schema) ${withNumbers}
    select ${workspace}, 'event ' || (10 + events.i), 'shape ' || (10 + many.i), '[]' from events cross join many`.execute(
    db,
  );
  await sql`insert into observed_properties (workspace_id, event_key, path_key, event_name, path, type, conflicting) ${withNumbers}
    select ${workspace}, 'event ' || (10 + events.i), 'path ' || (100 + sources.i), 'event', '["p"]', 'int', case when events.i < 5 then 1 else 0 end
    from events cross join sources`.execute(db);
}

const LIMIT = 50;

/** It is read in two steps, each with one row more, and both are shown as the second. */
const ROWS = 2 * (LIMIT + 1);

/** A row in the midst of most of them. */
const MIDST = { event_key: 'event 30', source: 'source 250', app_version: '1.0', environment: 'prod', shape_id: 'a' };

const FILTERS: ReportFilter[] = [
  ...combineFilters({ eventName: 'event 30', source: 'source 250', appVersion: '1.0', environment: 'prod' }),
  ...combineFilters({ eventName: 'event 17', source: 'source 107', appVersion: '9.9', environment: 'dev' }),
  ...combineFilters({ eventName: 'none', source: 'none', appVersion: 'none', environment: 'staging' }),
];

const REPORTS = { observed_events: observedEvents, observed_shapes: observedShapes };

describe.for(STATES)('%s', ([, workspace, gather]) => {
  beforeAll(async () => {
    if (gather === 'before') for (const table of TABLES) await gatherStatistics(storage, table);
    await fill(workspace);
    if (gather === 'after') for (const table of TABLES) await gatherStatistics(storage, table);
  });

  test.for(['observed_events', 'observed_shapes'] as const)(
    'a page of %s by any filter is read from where it begins',
    async (table) => {
      for (const filter of FILTERS) {
        const { fixed, sorted } = chooseOrder(filter);
        const range = { fixed, sorted: table === 'observed_shapes' ? ([...sorted, 'shape_id'] as const) : sorted };
        const paging = pagingBy<keyof typeof MIDST>(range, workspace, filter);
        for (const cursor of [undefined, ...(range.sorted.length === 0 ? [] : [paging?.cursorAfter(MIDST)])]) {
          const plans = await plansOf(table, (db) =>
            REPORTS[table]({ ...storage, db }, workspace, { ...filter, cursor, limit: LIMIT }),
          );
          for (const plan of plans)
            expectInOrder(plan, cursor === undefined ? fixed.map(([column]) => column) : columnsOf(range));
          expect(sumRead(plans), JSON.stringify(filter)).toBeLessThanOrEqual(
            table === 'observed_shapes' ? 2 * ROWS : ROWS,
          );
        }
      }
    },
  );

  const IN_PLACES: [Omit<EventInPlace, 'eventName'>][] = [
    [{ source: 'source 250', environment: 'prod' }],
    [{ source: 'source 250', environment: 'prod', appVersion: '1.0' }],
    [{ source: 'source 250', environment: 'prod', appVersion: '9.9' }],
  ];

  test.for(IN_PLACES)('the shapes of an event in %j are read by that', async ([place]) => {
    const event = { eventName: 'event 30', ...place };
    const plans = await plansOf('shapes', (db) =>
      readShapes(db, workspace, event, { shapes: 10, characters: 1_000 }, () => {}),
    );
    for (const plan of plans) {
      expectInOrder(plan, [
        'event_key',
        'source',
        ...(place.appVersion === undefined ? ['environment'] : ['app_version']),
      ]);
    }
    expect(sumRead(plans)).toBeLessThanOrEqual(2);
  });

  test.for<[ReportFilter & { appVersion: string }, rows: number]>([
    [{ appVersion: '1.0', environment: 'dev' }, 0],
    [{ appVersion: '1.0', source: 'source 250' }, 2],
    [{ appVersion: '9.9' }, 0],
    [{ appVersion: '1.0', source: 'source 250', environment: 'prod' }, 2],
  ])('the types of properties in the version %j are read by that', async ([filter, rows]) => {
    const property = { event_key: 'event 30', path_key: 'path 100' };
    const plans = await plansOf('observed_shapes', async (db) => {
      for await (const { types } of eachTypesInVersion(db, workspace, [property], filter)) expect(types.count).toBe(0);
    });
    for (const plan of plans)
      expectInOrder(plan, columnsOf({ ...chooseOrder({ eventName: 'event 30', ...filter }), sorted: [] }));
    expect(sumRead(plans)).toBeLessThanOrEqual(rows);
  });

  test('the conflicts of an event are read from where a page begins', async () => {
    const range = { fixed: [['event_key', 'event 12']], sorted: ['path_key'] } as const;
    const query = { eventName: 'event 12', limit: 20 };
    const cursor = pagingBy<'event_key' | 'path_key'>(range, workspace, query)?.cursorAfter({
      event_key: 'event 12',
      path_key: 'path 390',
    });
    const plans = await plansOf('observed_properties', (db) =>
      typeConflicts({ ...storage, db }, workspace, { ...query, cursor }),
    );
    for (const plan of plans) expectInOrder(plan, ['event_key', 'path_key']);
    expect(sumRead(plans)).toBeLessThanOrEqual(9);
  });
});

/** The plans of what reads a table. */
async function plansOf(table: string, work: (db: Storage['db']) => Promise<unknown>): Promise<QueryPlan[]> {
  const plans = (await readPlans(storage, work)).filter(({ text }) => text.split(/\s/).includes(table));
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

/** An index is read from where a comparison says that begins with these columns, and nothing is sorted. */
function expectInOrder({ text, readsAll }: QueryPlan, columns: readonly string[]): void {
  expect(readsAll, text).toBe(false);
  expect(text).not.toMatch(/Sort|Bitmap|TEMP B-TREE/);
  if (columns.length === 0) return;
  expect(text.replaceAll(', ', ',')).toMatch(new RegExp(`\\(?${columns.join(',')}(,\\w+)*\\)? ?>`));
}

function sumRead(plans: readonly QueryPlan[]): number {
  return plans.reduce((sum, { rowsRead = 0 }) => sum + rowsRead, 0);
}
