import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '../migrations/index.ts';
import type { DatabaseLocation } from '../open.ts';
import { NodeSqliteDialect } from '../sqlite/dialect.ts';

/**
 * A database as the version made it that did not know this migration yet.
 *
 * @param migration the first one that is left out, such as `0010`
 */
export async function openAsBefore(
  { database, databaseUrl }: DatabaseLocation,
  migration: string,
): Promise<Kysely<unknown>> {
  const dialect =
    databaseUrl === undefined
      ? new NodeSqliteDialect(new DatabaseSync(database))
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) });
  const db = new Kysely<unknown>({ dialect });
  const known = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < migration));
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest();
  if (error !== undefined) throw error;
  return db;
}
