import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** Whether the engine is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * The type of every column of text: compared byte by byte, as SQLite does, so that both engines have one order, whatever the
 * language of a PostgreSQL database is.
 */
export function textType(db: Kysely<unknown>): RawBuilder<string> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}
