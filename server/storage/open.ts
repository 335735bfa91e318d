import { openSqlite } from './sqlite/database.ts';
import type { Storage } from './storage.ts';

/** Where everything is stored. */
export interface DatabaseLocation {
  /** File of the embedded database. */
  database: string;
  /** A PostgreSQL database instead of it; a secret. */
  databaseUrl?: string | undefined;
}

/** What may be found, and how long work on it may take. */
export interface OpenStorageOptions {
  /** Whether a database that is not there is made. Defaults to true. */
  create?: boolean;
  /** For work that is long, on PostgreSQL: the longest that a statement may take, in milliseconds. Defaults to 5,000. */
  statementMs?: number;
  /** On PostgreSQL: the most connections for requests. Defaults to 10. */
  connections?: number;
  /** On PostgreSQL: the most connections for exports, besides. Defaults to 4. */
  exportConnections?: number;
}

/**
 * Opens the database, whichever engine it is of, and migrates it.
 *
 * @throws UserError when it can't be used, is not there and shall not be made, or belongs to a newer version
 */
export async function openStorage(
  { database, databaseUrl }: DatabaseLocation,
  options: OpenStorageOptions = {},
): Promise<Storage> {
  if (databaseUrl === undefined) return openSqlite(database, options);
  // What serves the embedded database alone need not wait for the other engine's client to load.
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(databaseUrl, options);
}
