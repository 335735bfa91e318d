import { type Kysely, sql } from 'kysely';
import { isPostgres, textType } from '../text-column.ts';

/**
 * What the servers of one database tell each other about batches that somebody watches; the embedded database has one server only.
 * It is not logged: it is worth something for half a minute, and nobody waits for a disk.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  const text = textType(db);
  await db.schema
    .createTable('live_messages')
    .modifyFront(sql`unlogged`)
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('message_id', text, (column) => column.notNull())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('live_messages_pk', ['workspace_id', 'message_id'])
    .execute();
}
