import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** Whether the engine is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * The type of every text column: compared byte by byte, as SQLite does, so that both engines sort alike, whatever the
 * locale of a PostgreSQL database.
 */
export function textType(db: Kysely<unknown>): RawBuilder<string> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}
