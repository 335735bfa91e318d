import type { Kysely } from 'kysely';
import { textType } from '../text-column.ts';

/** When service accounts and API keys were last used, and what with. Of the time before nothing is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema.alterTable('service_accounts').addColumn('last_used_at', 'bigint').execute();
  await db.schema.alterTable('api_keys').addColumn('last_used_at', 'bigint').execute();
  await db.schema.alterTable('api_keys').addColumn('batch_day', text).execute();
  await db.schema
    .alterTable('api_keys')
    .addColumn('batches', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('api_keys')
    .addColumn('libraries', text, (column) => column.notNull().defaultTo('[]'))
    .execute();
}
