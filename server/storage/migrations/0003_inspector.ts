import type { Kysely } from 'kysely';
import { textType } from '../text-column.ts';

/** What the Inspector has observed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createObservedEvents(db);
  await createObservedShapes(db);
  await createPropertyTypes(db);
  await createMemory(db);
}

async function createObservedEvents(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('observed_events')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('app_version', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('event_name', text, (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addColumn('shapes', 'integer', (column) => column.notNull())
    .addColumn('first_seen', 'bigint', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('observed_events_pk', [
      'workspace_id',
      'event_key',
      'source',
      'app_version',
      'environment',
    ])
    .execute();
  await createOrders(db, 'observed_events', []);
}

async function createObservedShapes(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('observed_shapes')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('app_version', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('shape_id', text, (column) => column.notNull())
    .addColumn('event_name', text, (column) => column.notNull())
    .addColumn('schema', text, (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addColumn('first_seen', 'bigint', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('observed_shapes_pk', [
      'workspace_id',
      'event_key',
      'source',
      'app_version',
      'environment',
      'shape_id',
    ])
    .execute();
  await createOrders(db, 'observed_shapes', ['shape_id']);

  await db.schema
    .createTable('shape_totals')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('app_version', text, (column) => column.notNull())
    .addColumn('shapes', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('shape_totals_pk', ['workspace_id', 'source', 'app_version'])
    .execute();
}

/**
 * Together with the primary key these begin with every combination of the reports' filters, so that each page is read from
 * where it begins, however much other filters would leave out.
 */
async function createOrders(db: Kysely<unknown>, table: string, last: readonly string[]): Promise<void> {
  const orders = {
    source: ['source', 'app_version', 'environment', 'event_key'],
    version: ['app_version', 'environment', 'event_key', 'source'],
    environment: ['environment', 'event_key', 'source', 'app_version'],
    event_version: ['event_key', 'app_version', 'source', 'environment'],
    source_environment: ['source', 'environment', 'event_key', 'app_version'],
  };
  for (const [name, columns] of Object.entries(orders)) {
    await db.schema
      .createIndex(`${table}_by_${name}`)
      .on(table)
      .columns(['workspace_id', ...columns, ...last])
      .execute();
  }
}

async function createPropertyTypes(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('observed_properties')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('path_key', text, (column) => column.notNull())
    .addColumn('event_name', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('conflicting', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('observed_properties_pk', ['workspace_id', 'event_key', 'path_key'])
    .execute();

  await db.schema
    .createTable('observed_types')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('path_key', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('app_version', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('shapes', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('observed_types_pk', [
      'workspace_id',
      'event_key',
      'path_key',
      'source',
      'app_version',
      'environment',
      'type',
    ])
    .execute();

  await db.schema
    .createTable('type_conflicts')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('path_key', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('type_conflicts_pk', ['workspace_id', 'scope', 'event_key', 'path_key'])
    .execute();
}

/** What was sent before, so that it counts once. Rows are looked up by id and, when they are old, deleted by time. */
async function createMemory(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('seen_messages')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('message_id', text, (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('seen_messages_pk', ['workspace_id', 'source', 'message_id'])
    .execute();
  await db.schema.createIndex('seen_messages_by_time').on('seen_messages').columns(['seen_at']).execute();

  await db.schema
    .createTable('seen_batches')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('batch_id', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('seen_batches_pk', ['workspace_id', 'source', 'batch_id'])
    .execute();
  await db.schema.createIndex('seen_batches_by_time').on('seen_batches').columns(['seen_at']).execute();
}
