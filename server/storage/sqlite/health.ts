import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** @throws Error when the database can't answer */
export async function checkSqlite(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db);
}
