/** SQLite's result codes for what passes or is mended from outside: busy, locked, read-only, an I/O error, full, can't open. */
const PASSING_SQLITE_CODES = new Set([5, 6, 8, 10, 13, 14]);

/** Whether the database failed for a reason that may pass, so that the same request can succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  // The low byte is the primary code; the rest tells variants of it apart.
  return PASSING_SQLITE_CODES.has(error.errcode & 0xff);
}
