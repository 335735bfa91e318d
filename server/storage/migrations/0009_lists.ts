import type { Kysely } from 'kysely';

/** The orders of what the console lists: branches by who created them, accounts and keys by age. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('branches_by_creator')
    .on('branches')
    .columns(['workspace_id', 'creator_id', 'status', 'created_at', 'branch_id'])
    .execute();
  await db.schema
    .createIndex('service_accounts_by_creation')
    .on('service_accounts')
    .columns(['workspace_id', 'created_at', 'account_id'])
    .execute();
  await db.schema
    .createIndex('api_keys_by_creation')
    .on('api_keys')
    .columns(['workspace_id', 'created_at', 'key_id'])
    .execute();
}
