import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { UserError } from '@branchline/command-line';
import { sqliteCode } from '../error-code.ts';
import { ThreadFailure } from '../threads.ts';

/** The database can't be used now, for a transient reason or one that the operator has to fix, given in the message. */
export class DatabaseUnavailable extends UserError {}

/**
 * SQLite's primary result codes that are not caused by a statement: transient ones (aborted, busy, locked, out of memory, interrupted,
 * a race for a lock, a schema that has just changed), and external ones (permissions, read-only, an I/O error, a
 * damaged file, a full disk, a file that can't be opened or is too large for the file system, a file that is no database).
 */
const UNAVAILABLE_SQLITE_CODES = new Set([3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17, 22, 26]);

const SQLITE_CANTOPEN = 14;

/**
 * PostgreSQL's classes of errors caused by our statements ("PostgreSQL Error Codes"): 21 several rows instead of one, 22 a value
 * that does not fit, 23 a constraint, 24 the state of a cursor, 42 syntax and names. All others, also those that poolers, replicas,
 * triggers and extensions raise, are transient or fixed externally; so are 42501, a revoked privilege, and 42P01, a table
 * that is missing while a backup is restored.
 */
const POSTGRES_FAULTS = /^(21|22|23|24|42(?!501|P01))/;

/** Node's codes for a server that can't be reached, or has gone away. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENOTCONN',
  'ENOBUFS',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPROTO',
]);

/** The codes of a process, or a machine, that has as many files open as it may. */
const NO_MORE_FILES = new Set(['EMFILE', 'ENFILE']);

/** The messages of node-postgres, without a code, when a connection in use broke. */
const BROKEN_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|Unable to acquire a connection|Received unexpected \w+ message)/;

/** Kysely's message where the process has closed the database, and a request whose client was cut off still asks it. */
const CLOSED = 'driver has already been destroyed';

/** The requested resource is unavailable for a transient reason. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
}

/** Whether something could not be opened, or no thread begun, since too many files are open. */
export function isOutOfFiles(error: unknown): boolean {
  if (error instanceof ThreadFailure) return isOutOfFiles(error.cause);
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  if (error.code === 'ERR_WORKER_INIT_FAILED') return [...NO_MORE_FILES].some((code) => error.message.endsWith(code));
  // SQLite does not say why it can't open a file.
  if (sqliteCode(error) === SQLITE_CANTOPEN) return !canOpenAny();
  return NO_MORE_FILES.has(error.code);
}

function canOpenAny(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Whether the database or the system failed for a transient or fixable reason, so that the same request can succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Unavailable || error instanceof DatabaseUnavailable) return true;
  if (error instanceof ThreadFailure || isOutOfFiles(error)) return true;
  const ofSqlite = sqliteCode(error);
  if (ofSqlite !== undefined) return UNAVAILABLE_SQLITE_CODES.has(ofSqlite);
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  if (error.message === CLOSED || BROKEN_CONNECTION.test(error.message)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Only PostgreSQL's errors have a severity; proxies in front may omit the code.
  if ('severity' in error) return !POSTGRES_FAULTS.test(code);
  return NETWORK_CODES.has(code);
}
