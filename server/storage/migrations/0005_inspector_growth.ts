import { type Kysely, sql } from 'kysely';
import { isPostgres, textType } from '../text-column.ts';

/** As `MESSAGE_SLOTS` was when this migration was written. */
const MESSAGE_SLOTS = 16;

/** As `SLOT_MS` was when this migration was written. */
const SLOT_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * What is new costs once: schemas and the types of their properties are kept for each shape, not for each app version that has
 * it, and what each holder of an API key has brought is counted. Message ids take less room, and are forgotten by the table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSources(db);
  await createShapes(db);
  await renameTotals(db);
  await createPropertyTypes(db);
  await createMemory(db);
  await createUsage(db);
}

async function createSources(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('sources')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('source_number', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('sources_pk', ['workspace_id', 'source'])
    .addUniqueConstraint('sources_number', ['workspace_id', 'source_number'])
    .execute();
  await sql`/* migration */ insert into sources (workspace_id, source, source_number)
    select workspace_id, source, row_number() over (partition by workspace_id order by source)
    from (select workspace_id, source from shape_totals union select workspace_id, source from seen_messages
      union select workspace_id, source from seen_batches) as seen`.execute(db);
}

async function createShapes(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('event_names')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('event_name', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('event_names_pk', ['workspace_id', 'event_key'])
    .execute();
  await sql`/* migration */ insert into event_names (workspace_id, event_key, event_name)
    select workspace_id, event_key, min(event_name) from observed_events group by workspace_id, event_key`.execute(db);

  await db.schema
    .createTable('shapes')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('shape_id', text, (column) => column.notNull())
    .addColumn('schema', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('shapes_pk', ['workspace_id', 'event_key', 'shape_id'])
    .execute();
  await sql`/* migration */ insert into shapes (workspace_id, event_key, shape_id, schema)
    select workspace_id, event_key, shape_id, min(schema) from observed_shapes
    group by workspace_id, event_key, shape_id`.execute(db);

  await db.schema
    .createTable('source_shapes')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('shape_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('source_shapes_pk', ['workspace_id', 'event_key', 'shape_id', 'source', 'environment'])
    .execute();
  await sql`/* migration */ insert into source_shapes (workspace_id, event_key, shape_id, source, environment)
    select distinct workspace_id, event_key, shape_id, source, environment from observed_shapes`.execute(db);
  await db.schema.alterTable('observed_shapes').dropColumn('schema').execute();
}

async function renameTotals(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('shape_totals').renameTo('app_versions').execute();
}

/** Types were kept for each app version: how many shapes have one, over all versions, is not known any more, so it is the most. */
async function createPropertyTypes(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema.alterTable('observed_types').renameTo('observed_types_before').execute();
  if (isPostgres(db)) {
    await sql`alter table observed_types_before rename constraint observed_types_pk to observed_types_before_pk`.execute(
      db,
    );
  }
  await db.schema
    .createTable('observed_types')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('path_key', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('first_version', text, (column) => column.notNull())
    .addColumn('shapes', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('observed_types_pk', [
      'workspace_id',
      'event_key',
      'path_key',
      'type',
      'source',
      'environment',
    ])
    .execute();
  await sql`/* migration */ insert into observed_types
      (workspace_id, event_key, path_key, type, source, environment, first_version, shapes)
    select workspace_id, event_key, path_key, type, source, environment, min(app_version), max(shapes)
    from observed_types_before group by workspace_id, event_key, path_key, type, source, environment`.execute(db);
  await db.schema.dropTable('observed_types_before').execute();
  await db.schema.dropTable('type_conflicts').execute();
  await db.schema
    .createIndex('observed_properties_conflicting')
    .on('observed_properties')
    .columns(['workspace_id', 'event_key', 'path_key'])
    .where(sql.ref('conflicting'), '=', sql`1`)
    .execute();
}

async function createMemory(db: Kysely<unknown>): Promise<void> {
  for (let slot = 0; slot < MESSAGE_SLOTS; slot += 1) await createSlot(db, `seen_messages_${slot}`);
  await moveMessages(db);
  await db.schema.dropTable('seen_messages').execute();

  await db.schema.dropTable('seen_batches').execute();
  await withoutRowIds(db, 'seen_batches', (table) =>
    table
      .addColumn('batch_id', bytes(db), (column) => column.notNull())
      .addColumn('digest', bytes(db), (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('seen_batches_pk', ['workspace_id', 'source_number', 'batch_id']),
  );
  await db.schema.createIndex('seen_batches_by_time').on('seen_batches').columns(['seen_at']).execute();
}

async function createSlot(db: Kysely<unknown>, name: string): Promise<void> {
  await withoutRowIds(db, name, (table) =>
    table
      .addColumn('message_id', bytes(db), (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, ['workspace_id', 'source_number', 'message_id']),
  );
}

type Table = ReturnType<Kysely<unknown>['schema']['createTable']>;

/** SQLite keeps rows of nothing but a key once in such a table, not a second time as an index. */
async function withoutRowIds(
  db: Kysely<unknown>,
  name: string,
  addColumns: (table: ReturnType<Table['addColumn']>) => ReturnType<Table['addColumn']>,
): Promise<void> {
  const table = db.schema
    .createTable(name)
    .addColumn('workspace_id', textType(db), (column) => column.notNull())
    .addColumn('source_number', 'integer', (column) => column.notNull());
  const whole = addColumns(table);
  await (isPostgres(db) ? whole : whole.modifyEnd(sql`without rowid`)).execute();
}

function bytes(db: Kysely<unknown>) {
  return isPostgres(db) ? sql`bytea` : sql`blob`;
}

/**
 * When a message was observed is not known any more; most were received within the same slot or at the beginning of the next.
 * So each is remembered in the slot of its arrival and in the one before.
 */
async function moveMessages(db: Kysely<unknown>): Promise<void> {
  const id = isPostgres(db)
    ? sql`decode(replace(message_id, '-', ''), 'hex')`
    : sql`unhex(replace(message_id, '-', ''))`;
  const bucket = sql`(seen_at / ${sql.lit(SLOT_MS)})`;
  for (let slot = 0; slot < MESSAGE_SLOTS; slot += 1) {
    const before = (slot + 1) % MESSAGE_SLOTS;
    await sql`/* migration */ insert into ${sql.table(`seen_messages_${slot}`)} (workspace_id, source_number, message_id)
      select workspace_id, source_number, ${id} from seen_messages join sources using (workspace_id, source)
      where ${bucket} % ${sql.lit(MESSAGE_SLOTS)} in (${sql.lit(slot)}, ${sql.lit(before)})`.execute(db);
  }
}

/** What a workspace has so far is counted as the workspace's own, and what a source has as that source's; no key is known. */
async function createUsage(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('inspector_usage')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('app_versions', 'bigint', (column) => column.notNull())
    .addColumn('event_names', 'bigint', (column) => column.notNull())
    .addColumn('shapes', 'bigint', (column) => column.notNull())
    .addColumn('properties', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('inspector_usage_pk', ['workspace_id', 'holder'])
    .execute();
  await sql`/* migration */ insert into inspector_usage (workspace_id, holder, app_versions, event_names, shapes, properties, bytes)
    select workspace_id, 'workspace',
      (select count(*) from app_versions as a where a.workspace_id = w.workspace_id),
      (select count(*) from event_names as e where e.workspace_id = w.workspace_id),
      (select count(*) from shapes as s where s.workspace_id = w.workspace_id),
      (select count(*) from observed_types as t where t.workspace_id = w.workspace_id),
      (select coalesce(sum(length(s.schema)), 0) from shapes as s where s.workspace_id = w.workspace_id)
    from workspaces as w`.execute(db);
  await sql`/* migration */ insert into inspector_usage (workspace_id, holder, app_versions, event_names, shapes, properties, bytes)
    select workspace_id, 'source:' || source,
      (select count(*) from app_versions as a where a.workspace_id = w.workspace_id and a.source = w.source),
      (select count(distinct event_key) from source_shapes as e
        where e.workspace_id = w.workspace_id and e.source = w.source),
      (select count(distinct shape_id) from source_shapes as s
        where s.workspace_id = w.workspace_id and s.source = w.source),
      (select count(*) from observed_types as t where t.workspace_id = w.workspace_id and t.source = w.source),
      0
    from sources as w`.execute(db);
}
