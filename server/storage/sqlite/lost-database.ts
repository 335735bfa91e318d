import { statSync } from 'node:fs';
import { UserError } from '@branchline/command-line';
import { resolveLinks } from './resolve-links.ts';

/** What is made beside a database once it is there, and outlives it: its hash key, the certificate, a log that nobody has closed. */
const TRACES = ['.key', '.tls.pem', '-wal'];

/**
 * Where there are files of a database and no database, that was lost or moved. A new one in its place would hide it. A lock file
 * says nothing: a server makes it before it makes the database.
 *
 * @throws UserError when a file lies beside an embedded database that is not there or has nothing in it
 */
export function refuseLostDatabase(database: string): void {
  if (sizeOf(database) > 0) return;
  const file = resolveLinks(database);
  const traces = TRACES.filter((suffix) => isPresent(file, suffix)).map((suffix) => file + suffix);
  if (traces.length === 0) return;
  throw new UserError(
    `There is no database at ${database}, but what belongs to one (${traces.join(', ')}): the database was lost or moved. ` +
      'Restore it from your backup, or remove what is left of it if this is meant to be a new installation.',
  );
}

/** An empty log is in order where there is no database. */
function isPresent(file: string, suffix: string): boolean {
  if (suffix === '-wal') return sizeOf(file + suffix) > 0;
  return statSync(file + suffix, { throwIfNoEntry: false }) !== undefined;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
