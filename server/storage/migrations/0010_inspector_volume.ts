import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres, textType } from '../text-column.ts';

/** As `HOURS` was when this migration was written. */
const HOURS = Array.from({ length: 24 }, (_, hour) => `h${hour}`);

/** How many events there were over all app versions, and when. What came before is in the totals, but not in the volume. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPendingCounts(db);
  await countSourceShapes(db);
  await createTotals(db);
  await createVolumes(db);
}

async function createPendingCounts(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('pending_counts')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('entry_id', text, (column) => column.notNull())
    .addColumn('counts', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('pending_counts_pk', ['workspace_id', 'entry_id'])
    .execute();
}

async function countSourceShapes(db: Kysely<unknown>): Promise<void> {
  for (const name of ['count', 'first_seen', 'last_seen']) {
    await db.schema
      .alterTable('source_shapes')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await db.schema
    .createIndex('source_shapes_by_place')
    .on('source_shapes')
    .columns(['workspace_id', 'event_key', 'source', 'environment', 'shape_id'])
    .execute();
  await sql`/* migration */ update source_shapes
    set count = seen.count, first_seen = seen.first_seen, last_seen = seen.last_seen
    from (select workspace_id, event_key, shape_id, source, environment,
        sum(count) as count, min(first_seen) as first_seen, max(last_seen) as last_seen
      from observed_shapes group by workspace_id, event_key, shape_id, source, environment) as seen
    where seen.workspace_id = source_shapes.workspace_id and seen.event_key = source_shapes.event_key
      and seen.shape_id = source_shapes.shape_id and seen.source = source_shapes.source
      and seen.environment = source_shapes.environment`.execute(db);
}

async function createTotals(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('event_totals')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('versions', 'integer', (column) => column.notNull())
    .addColumn('shapes', 'integer', (column) => column.notNull())
    .addColumn('newest_versions', text, (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addColumn('first_seen', 'bigint', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_totals_pk', ['workspace_id', 'environment', 'event_key', 'source'])
    .execute();
  await db.schema
    .createIndex('event_totals_by_source')
    .on('event_totals')
    .columns(['workspace_id', 'source', 'environment', 'event_key'])
    .execute();
  await sql`/* migration */ insert into event_totals
      (workspace_id, environment, event_key, source, versions, shapes, newest_versions, count, first_seen, last_seen)
    select workspace_id, environment, event_key, source, count(*),
      (select count(distinct shape_id) from source_shapes as s
        where s.workspace_id = placed.workspace_id and s.event_key = placed.event_key and s.source = placed.source
          and (placed.environment = '' or s.environment = placed.environment)),
      ${newestVersions(db)}, sum(count), min(first_seen), max(last_seen)
    from (select seen.*, row_number() over (
        partition by workspace_id, environment, event_key, source order by first_seen desc, app_version desc) as place
      from (${seenVersions}) as seen) as placed
    group by workspace_id, environment, event_key, source`.execute(db);
}

/** App versions in each environment and in all, of each event and of all. */
const seenVersions = sql`
  select workspace_id, environment, event_key, source, app_version, count, first_seen, last_seen from observed_events
  union all select workspace_id, '', event_key, source, app_version, sum(count), min(first_seen), max(last_seen)
    from observed_events group by workspace_id, event_key, source, app_version
  union all select workspace_id, '', '', source, app_version, sum(count), min(first_seen), max(last_seen)
    from observed_events group by workspace_id, source, app_version`;

function newestVersions(db: Kysely<unknown>): RawBuilder<string> {
  return isPostgres(db)
    ? sql`cast(json_agg(json_build_array(app_version, first_seen) order by place) filter (where place <= 10) as text)`
    : sql`json_group_array(json_array(app_version, first_seen) order by place) filter (where place <= 10)`;
}

async function createVolumes(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  let volumes = db.schema
    .createTable('event_volumes')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('app_version', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull());
  for (const hour of HOURS) volumes = volumes.addColumn(hour, 'integer', (column) => column.notNull());
  const key = ['workspace_id', 'event_key', 'app_version', 'day', 'source', 'environment'] as const;
  const whole = volumes.addPrimaryKeyConstraint('event_volumes_pk', [...key]);
  await (isPostgres(db) ? whole : whole.modifyEnd(sql`without rowid`)).execute();
  await db.schema.createIndex('event_volumes_by_day').on('event_volumes').columns(['day']).execute();

  await db.schema
    .createTable('volume_days')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('series', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('volume_days_pk', ['workspace_id', 'source', 'day'])
    .execute();
  await db.schema.createIndex('volume_days_by_day').on('volume_days').columns(['day']).execute();
}
