import { type Kysely, sql } from 'kysely';
import { isPostgres, textType } from '../text-column.ts';

/** How many shapes of what was observed before are looked at together. */
const SHAPES_TOGETHER = 20;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Issues of what is observed. What was observed before is put down to be looked at: so its issues appear step by step. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIssues(db);
  await createNames(db);
  await createVersions(db);
  await createNews(db);
}

async function createIssues(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('issues')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('issue_id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('path_key', text, (column) => column.notNull())
    .addColumn('event_name', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('app_version', text, (column) => column.notNull())
    .addColumn('compared_with', text)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('first_seen', 'bigint', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addColumn('raised_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', text)
    .addPrimaryKeyConstraint('issues_pk', ['workspace_id', 'issue_id'])
    .execute();
  const orders = {
    state: ['state', 'raised_at', 'issue_id'],
    event: ['event_key', 'state', 'raised_at', 'issue_id'],
    source: ['source', 'state', 'raised_at', 'issue_id'],
    place: ['event_key', 'source', 'environment'],
  };
  for (const [name, columns] of Object.entries(orders)) {
    await db.schema
      .createIndex(`issues_by_${name}`)
      .on('issues')
      .columns(['workspace_id', ...columns])
      .execute();
  }
}

async function createNames(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('issue_names')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('folded_key', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('issue_names_pk', ['workspace_id', 'event_key', 'folded_key'])
    .execute();
}

/** Of what was there before only the newest app version of each source and environment is compared. */
async function createVersions(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('issue_versions')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('app_version', text, (column) => column.notNull())
    .addColumn('first_seen', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addPrimaryKeyConstraint('issue_versions_pk', ['workspace_id', 'source', 'environment', 'app_version'])
    .execute();
  await db.schema
    .createIndex('issue_versions_by_age')
    .on('issue_versions')
    .columns(['workspace_id', 'environment', 'source', 'first_seen', 'app_version'])
    .execute();
  await db.schema
    .createIndex('issue_versions_by_due')
    .on('issue_versions')
    .columns(['due_at', 'workspace_id', 'source', 'environment', 'app_version'])
    .execute();
  await sql`/* migration */ insert into issue_versions
      (workspace_id, source, environment, app_version, first_seen, due_at)
    select workspace_id, source, environment, app_version, first_seen,
      case when row_number() over (
        partition by workspace_id, source, environment order by first_seen desc, app_version desc) = 1
        then first_seen + ${sql.lit(DAY_MS)} end
    from (select workspace_id, source, environment, app_version, min(first_seen) as first_seen
      from observed_events group by workspace_id, source, environment, app_version) as seen`.execute(db);
}

async function createNews(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('issue_news')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('entry_id', text, (column) => column.notNull())
    .addColumn('news', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('issue_news_pk', ['workspace_id', 'entry_id'])
    .execute();
  const [list, object] = isPostgres(db)
    ? [sql`json_agg(json_build_array(event_key, shape_id, 1))`, sql.raw('json_build_object')]
    : [sql`json_group_array(json_array(event_key, shape_id, 1))`, sql.raw('json_object')];
  const time = isPostgres(db)
    ? sql`lpad(cast(min(first_seen) as text), 15, '0')`
    : sql`printf('%015d', min(first_seen))`;
  // The ids sort by time, and before those of what comes: these begin with 01.
  const id = sql`'00-' || ${time} || '-' || cast(min(place) as text)`;
  await sql`/* migration */ insert into issue_news (workspace_id, entry_id, news)
    select workspace_id, ${id}, '[' || cast(${object}('source', source, 'app_version', app_version, 'environment', environment,
      'at', min(first_seen), 'isOld', 1, 'shapes', ${list}, 'refused', ${isPostgres(db) ? sql`json_build_array()` : sql`json_array()`}) as text) || ']'
    from (select seen.*, row_number() over (order by workspace_id, source, environment, app_version, first_seen, shape_id) as place
      from observed_shapes as seen) as seen
    group by workspace_id, source, environment, app_version, place / ${sql.lit(SHAPES_TOGETHER)}`.execute(db);
}
