import type { Kysely } from 'kysely';
import { textType } from '../text-column.ts';

/** Workspaces, and who may do what in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('workspaces')
    .addColumn('workspace_id', text, (column) => column.primaryKey().notNull())
    .addColumn('hash_key_id', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('service_accounts')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('secret_hash', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('rate_per_second', 'double precision')
    .addColumn('rate_enforcement', text)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('service_accounts_pk', ['workspace_id', 'account_id'])
    .addUniqueConstraint('service_accounts_name', ['workspace_id', 'name'])
    .execute();

  await db.schema
    .createTable('api_keys')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('secret_hash', text, (column) => column.notNull())
    .addColumn('sampling_rate', 'double precision', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('api_keys_pk', ['workspace_id', 'key_id'])
    .execute();
}
