import { type Kysely, sql } from 'kysely';
import { textType } from '../text-column.ts';

/** Branches, and the append-only log of what happened to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('branches')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('branch_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('creator_id', text, (column) => column.notNull())
    .addColumn('creator_email', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('collaborators', text, (column) => column.notNull())
    .addColumn('last_published_at', 'bigint')
    .addColumn('ready_at', 'bigint')
    .addColumn('ready_email', text)
    .addColumn('merged_at', 'bigint')
    .addColumn('merged_email', text)
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('branches_pk', ['workspace_id', 'branch_id'])
    .execute();

  // The name rule: no two open branches of a workspace share a name, whoever writes and however many at once.
  await db.schema
    .createIndex('branches_open_name')
    .on('branches')
    .columns(['workspace_id', 'name'])
    .unique()
    .where(sql.ref('status'), 'in', sql`('Draft', 'ReadyForReview', 'Approved')`)
    .execute();

  await db.schema
    .createIndex('branches_by_creation')
    .on('branches')
    .columns(['workspace_id', 'created_at', 'branch_id'])
    .execute();

  await db.schema
    .createIndex('branches_by_status')
    .on('branches')
    .columns(['workspace_id', 'status', 'created_at', 'branch_id'])
    .execute();

  await db.schema
    .createTable('branch_events')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('branch_id', text, (column) => column.notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('happened_at', 'bigint', (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('user_email', text, (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('branch_events_pk', ['workspace_id', 'branch_id', 'sequence'])
    .execute();
}
