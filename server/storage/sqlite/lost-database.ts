import { statSync } from 'node:fs';
import { UserError } from '@branchline/command-line';
import { sizeOf } from './file-size.ts';
import { resolveLinks } from './resolve-links.ts';

/** What is made beside a database once it is there, and outlives it: its hash key, the certificate, a log that nobody has closed. */
const TRACES = ['.key', '.tls.pem', '-wal'];

/** What a server makes too, once its database is there. */
const TRACES_OF_SERVER = [...TRACES, '.lock'];

/**
 * Where there are files of a database and no database, that was lost or moved. A new one in its place would hide it.
 *
 * @throws UserError when a file lies beside an embedded database that is not there or has nothing in it
 */
export function refuseLostDatabase(database: string): void {
  refuseTraces(database, TRACES);
}

/** The same for a server, for which a lock file from before is such a trace too. */
export function refuseLostDatabaseOfServer(database: string): void {
  refuseTraces(database, TRACES_OF_SERVER);
}

/** Looks for the database last: whoever makes one at the same time makes it first. */
function refuseTraces(database: string, suffixes: readonly string[]): void {
  const traces = suffixes
    .filter((suffix) => isPresent(database, suffix))
    .map((suffix) => resolveLinks(database) + suffix);
  const size = sizeOf(database);
  if (traces.length === 0 || size > 0) return;
  throw new UserError(
    `There is no database at ${database}, but what belongs to one (${traces.join(', ')}): the database was lost or moved. ` +
      'Restore it from your backup, or remove what is left of it if this is meant to be a new installation.',
  );
}

/** An empty log is in order where there is no database. */
function isPresent(database: string, suffix: string): boolean {
  const file = resolveLinks(database) + suffix;
  return suffix === '-wal' ? sizeOf(file) > 0 : statSync(file, { throwIfNoEntry: false }) !== undefined;
}
