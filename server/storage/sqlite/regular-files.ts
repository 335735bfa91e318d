import { statSync } from 'node:fs';
import { describeOtherKind, UserError } from '@branchline/command-line';
import { resolveLinks } from './resolve-links.ts';

/** What SQLite looks for beside a database, and opens where it is there. */
export const BESIDE = ['-wal', '-shm', '-journal'];

/**
 * To be called before SQLite opens a database: it opens whatever is there, and never comes back from a named pipe.
 *
 * @throws UserError when the database, or what lies beside it, is there and no regular file
 */
export function requireRegularFiles(database: string): void {
  const file = resolveLinks(database);
  const other = otherKind(file);
  if (other !== undefined) {
    throw new UserError(
      `The database file ${database} can't be opened: it is ${other}, not a regular file. Name another with --database.`,
    );
  }
  for (const beside of BESIDE.map((suffix) => file + suffix)) {
    const otherBeside = otherKind(beside);
    if (otherBeside === undefined) continue;
    throw new UserError(
      `The file ${beside} is ${otherBeside}, not a regular file, and SQLite would open it with the database. Remove it, and start again.`,
    );
  }
}

/**
 * @returns what it is, where it is no regular file
 * @throws Error of the file system where it can't be told
 */
export function otherKind(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && describeOtherKind(found);
}
