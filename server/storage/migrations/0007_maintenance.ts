import type { Kysely } from 'kysely';
import { textType } from '../text-column.ts';

/** Which process runs which task of the maintenance, and when it is due again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('maintenance')
    .addColumn('task', text, (column) => column.primaryKey().notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('holder', text)
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .addColumn('horizon', 'bigint')
    .addColumn('horizon_moved_at', 'bigint')
    .execute();
}
