import { readSecret } from '../secret-file.ts';
import { UserError } from '@branchline/command-line';
import { endWithNewerVersion } from './newer-version.ts';
import { openSqlite } from './sqlite/database.ts';
import type { Storage } from './storage.ts';

/** The location of the database. */
export interface DatabaseLocation {
  /** File of the embedded database. */
  database: string;
  /** A PostgreSQL database instead of it; a secret. */
  databaseUrl?: string | undefined;
  /** A file with its password, if the URL has none. */
  databasePasswordFile?: string | undefined;
}

/** Options for opening a database. */
export interface OpenStorageOptions {
  /** Whether to create a missing database. Defaults to true. */
  create?: boolean;
  /** On PostgreSQL: the maximum duration of a statement, in milliseconds. Defaults to 5,000. */
  statementMs?: number;
  /** On PostgreSQL: the maximum time to wait for a free or new connection, in milliseconds. Defaults to the URL's, or 3,000. */
  connectMs?: number;
  /** On PostgreSQL: the maximum number of connections for requests. Defaults to 10. */
  connections?: number;
  /** On PostgreSQL: the maximum number of additional connections for exports. Defaults to 4. */
  exportConnections?: number;
  /** Whether its use ends when a newer version migrates it meanwhile, as by a server, which has it for long. Defaults to false. */
  endWithNewerVersion?: boolean;
  /** Told what is waited for, as a log line, whenever that has taken a second. Defaults to nobody. */
  onWait?: (line: string) => void;
}

/**
 * Opens and migrates the database of either engine.
 *
 * @throws UserError if it can't be used, is missing and must not be created, or belongs to a newer version
 */
export async function openStorage(
  { database, databaseUrl, databasePasswordFile }: DatabaseLocation,
  options: OpenStorageOptions = {},
): Promise<Storage> {
  const url = await addPassword(databaseUrl, databasePasswordFile);
  const storage = await (url === undefined ? openSqlite(database, options) : openByUrl(url, options));
  return options.endWithNewerVersion === true ? endWithNewerVersion(storage) : storage;
}

/** With the embedded database, the other engine's client need not load. */
async function openByUrl(url: string, options: OpenStorageOptions): Promise<Storage> {
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(url, options);
}

/** @throws UserError if the file's password has no URL, or the URL already has a password or can't have one */
async function addPassword(databaseUrl: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return databaseUrl;
  if (databaseUrl === undefined) {
    throw new UserError('--database-password-file is for a PostgreSQL database: name that too, by DATABASE_URL.');
  }
  const url = new URL(databaseUrl);
  const password = await readSecret({
    secret: url.password || undefined,
    file,
    what: 'password of the database',
    flag: '--database-password-file',
  });
  url.password = encodeURIComponent(password ?? '');
  if (url.password !== '') return url.href;
  throw new UserError('With --database-password-file the URL of the database must name a host.');
}
