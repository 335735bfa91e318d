import { type Stats, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '@branchline/command-line';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { damage } from './health.ts';
import { resolveLinks } from './resolve-links.ts';

/** How much later than its log a file is written last that belongs to it, in milliseconds: SQLite writes both with a transaction. */
const LATER_MS = 1_000;

/**
 * To be called before a database is opened that may be written. One that was restored over the file while the log of the one before lay
 * beside it is a mixture of both, which SQLite can't tell from what a crash leaves. Only where the file is of a later time than its
 * log is it looked at, since that takes seconds where it is large.
 *
 * @throws UserError when the two do not belong together; nothing is changed
 */
export function refuseMixedFiles(database: string): void {
  const file = resolveLinks(database);
  const log = look(`${file}-wal`);
  const own = look(file);
  if (log === undefined || own === undefined || log.size === 0 || own.mtimeMs <= log.mtimeMs + LATER_MS) return;
  const fault = findFault(file);
  if (fault === undefined) return;
  throw new UserError(
    `The database file ${database} was written after its log ${file}-wal, and they do not belong together (${fault}). If the file was ` +
      `restored from a backup, move ${file}-wal and ${file}-shm to another folder, and start again; if not, restore it. Nothing was changed.`,
  );
}

/** Over a connection that only reads, which leaves the log as it is. */
function findFault(file: string): string | undefined {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const found = String(database.prepare('pragma quick_check(1)').get()?.['quick_check']);
    return found === 'ok' ? undefined : (found.split('\n').at(-1) ?? found);
  } catch (error) {
    // What else there is to say is said when it is opened.
    return damage(error, file) === undefined || !(error instanceof Error) ? undefined : error.message;
  }
}

function look(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}
