import { readSecret } from '../secret-file.ts';
import { UserError } from '@branchline/command-line';
import { openSqlite } from './sqlite/database.ts';
import type { Storage } from './storage.ts';

/** Where everything is stored. */
export interface DatabaseLocation {
  /** File of the embedded database. */
  database: string;
  /** A PostgreSQL database instead of it; a secret. */
  databaseUrl?: string | undefined;
  /** A file with its password, where the URL has none. */
  databasePasswordFile?: string | undefined;
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
  { database, databaseUrl, databasePasswordFile }: DatabaseLocation,
  options: OpenStorageOptions = {},
): Promise<Storage> {
  const url = addPassword(databaseUrl, databasePasswordFile);
  if (url === undefined) return openSqlite(database, options);
  // What serves the embedded database alone need not wait for the other engine's client to load.
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(url, options);
}

/** @throws UserError when there is no URL for the file's password, or one that has a password already or can't have one */
function addPassword(databaseUrl: string | undefined, file: string | undefined): string | undefined {
  if (file === undefined) return databaseUrl;
  if (databaseUrl === undefined) {
    throw new UserError('--database-password-file is for a PostgreSQL database: name that too, by DATABASE_URL.');
  }
  const url = new URL(databaseUrl);
  const password = readSecret({
    secret: url.password || undefined,
    file,
    what: 'password of the database',
    flag: '--database-password-file',
  });
  url.password = encodeURIComponent(password ?? '');
  if (url.password !== '') return url.href;
  throw new UserError('With --database-password-file the URL of the database must name a host.');
}
