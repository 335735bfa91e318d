import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '../migrations/index.ts';
import type { DatabaseLocation } from '../open.ts';
import { NodeSqliteDialect } from '../sqlite/dialect.ts';

/**
 * The database as the version before a migration made it.
 *
 * @param migration the beginning of its name, such as `0010`
 */
export async function openBefore(
  migration: string,
  { database, databaseUrl }: DatabaseLocation,
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
