/** SQLite's result codes for what passes or is mended from outside: busy, locked, read-only, an I/O error, full, can't open. */
const PASSING_SQLITE_CODES = new Set([5, 6, 8, 10, 13, 14]);

/**
 * PostgreSQL's codes and classes of the same kind ("PostgreSQL Error Codes"): connection, lack of resources, shutting down or
 * cancelled, system error; who may connect; a transaction that is read-only, has waited too long or stood in another's way.
 */
const PASSING_POSTGRES_CODES = /^(08|53|57|58|28)|^(25006|25P03|25P04|40001|40P01|55P03|3D000)$/;

/** Node's codes for a server that can't be reached, or is there no longer. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** What node-postgres says without a code when its connection broke, or a free one was waited for too long. */
const BROKEN_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Postgres connection has been discarded|Unable to acquire a connection)/;

/** What is asked for can't be had now, for a reason that passes. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Whether the database failed for a reason that may pass, so that the same request can succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Unavailable) return true;
  // The low byte is the primary code; the rest tells variants of it apart.
  if ('errcode' in error && typeof error.errcode === 'number') return PASSING_SQLITE_CODES.has(error.errcode & 0xff);
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  if (BROKEN_CONNECTION.test(error.message)) return true;
  if (!('code' in error) || typeof error.code !== 'string') return false;
  // Only PostgreSQL's errors have a severity.
  if ('severity' in error) return PASSING_POSTGRES_CODES.test(error.code);
  return NETWORK_CODES.has(error.code) || ('syscall' in error && error.syscall === 'connect');
}
