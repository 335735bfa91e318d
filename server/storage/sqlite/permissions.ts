import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { sqliteCode } from '../../error-code.ts';
import { BESIDE } from './regular-files.ts';
import { resolveLinks } from './resolve-links.ts';

/**
 * The first of the files that SQLite writes for a database, or their folder, that this process may not read and write; undefined where
 * it may. SQLite itself says of none of them which it was.
 */
export function findForbidden(database: string): string | undefined {
  const file = resolveLinks(database);
  return [dirname(file), file, ...BESIDE.map((suffix) => file + suffix)].find(isForbidden);
}

function isForbidden(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && FORBIDDEN.has(error.code);
  }
}

const FORBIDDEN: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** What to do about a file that SQLite can only read. */
export const READ_ONLY_ADVICE =
  'The system lets it be read and not written, as where the disk of an overlay is full, or the file is marked as append-only: mend that, and try again.';

const SQLITE_READONLY = 8;

/** Whether SQLite says that a file can only be read. */
export function isReadOnly(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_READONLY;
}
