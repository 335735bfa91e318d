import { UserError } from '@branchline/command-line';

/** The database can't be used now, for a reason that passes or that the operator has to mend, as the message says. */
export class DatabaseUnavailable extends UserError {}

/**
 * SQLite's primary result codes that are no fault of a statement: what passes (aborted, busy, locked, out of memory, interrupted,
 * a race for a lock, a schema that has just changed), and what is mended from outside (permissions, read-only, an I/O error, a
 * damaged file, a full disk, a file that can't be opened or is too large for the file system, a file that is no database).
 */
const UNAVAILABLE_SQLITE_CODES = new Set([3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17, 22, 26]);

/**
 * PostgreSQL's classes and codes of the same kind ("PostgreSQL Error Codes"), with what poolers and replicas say.
 *
 * Classes: 08 connection, 28 who may connect, 40 transaction rolled back, 53 lack of resources, 55 an object in another state,
 * 57 shutting down or cancelled, 58 system error, F0 configuration, XX internal error or damage.
 * Codes: 0A000 what a replica can't do, 25006 read-only, 25P03 and 25P04 a transaction that took too long, 3D000 and 3F000 no
 * such database or schema, 42501 a privilege that was taken away, 42P01 a table that is missing while a backup is restored,
 * 72000 a snapshot that is too old.
 */
const UNAVAILABLE_POSTGRES_CODES =
  /^(08|28|40|53|55|57|58|F0|XX)|^(0A000|25006|25P03|25P04|3D000|3F000|42501|42P01|72000)$/;

/** Node's codes for a server that can't be reached, or is there no longer. */
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

/** What node-postgres says without a code when a connection in use broke. */
const BROKEN_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|Unable to acquire a connection)/;

/** What is asked for can't be had now, for a reason that passes. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Whether the database failed for a reason that may pass or be mended, so that the same request can succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Unavailable || error instanceof DatabaseUnavailable) return true;
  // The low byte is the primary code; the rest tells variants of it apart.
  if ('errcode' in error && typeof error.errcode === 'number')
    return UNAVAILABLE_SQLITE_CODES.has(error.errcode & 0xff);
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  if (BROKEN_CONNECTION.test(error.message)) return true;
  if (!('code' in error) || typeof error.code !== 'string') return false;
  // Only PostgreSQL's errors have a severity.
  if ('severity' in error) return UNAVAILABLE_POSTGRES_CODES.test(error.code);
  return NETWORK_CODES.has(error.code);
}
