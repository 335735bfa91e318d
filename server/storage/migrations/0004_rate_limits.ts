import { type Kysely, sql } from 'kysely';
import { isPostgres, textType } from '../text-column.ts';

/**
 * The token buckets that several servers share; one server alone, which is all that the embedded database takes, has them in
 * memory. They are not logged: after a crash of the database all are full, and no request waits for a disk.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  const text = textType(db);
  await db.schema
    .createTable('rate_limits')
    .modifyFront(sql`unlogged`)
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('holder_id', text, (column) => column.notNull())
    .addColumn('operation', text, (column) => column.notNull())
    .addColumn('tokens', 'double precision', (column) => column.notNull())
    .addColumn('granted', 'integer', (column) => column.notNull())
    .addColumn('filled_at', 'bigint', (column) => column.notNull())
    .addColumn('full_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('rate_limits_pk', ['workspace_id', 'holder_id', 'operation'])
    .execute();
}
