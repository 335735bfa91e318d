import type { Kysely } from 'kysely';

/** Finds the sessions that were not used for long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('sessions_by_use').on('sessions').columns(['last_used_at']).execute();
}
