import { closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '@branchline/command-line';
import { resolveLinks } from './resolve-links.ts';

const SQLITE_BUSY = 5;

/** A lock that somebody else may open keeps the server from starting whenever they like. */
const OWNER_ONLY = 0o600;

/**
 * Makes this process the one server of an embedded database. The lock is the operating system's, held through an empty
 * database file beside it, so it ends with the process, however that ends. Commands that only look up or change accounts
 * do not take it: they may run beside the server.
 *
 * @param databaseFile also a link to it; it need not be there yet
 * @returns a function that gives the lock back
 * @throws UserError when another server has it, or it can't be made, or another user could hold it
 */
export function lockForServing(databaseFile: string): () => void {
  const file = `${resolveLinks(databaseFile)}.lock`;
  const unusable = (reason: string) =>
    new UserError(`The server can't use ${databaseFile}: ${reason}. Name another database with --database.`);
  let descriptor: number | undefined;
  let lock: DatabaseSync | undefined;
  const release = () => {
    lock?.close();
    // The process loses all its locks on a file with the first descriptor of it that it closes.
    if (descriptor !== undefined) closeSync(descriptor);
  };
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    descriptor = openPrivately(file);
    lock = new DatabaseSync(file, { timeout: 0 });
    requireSame(descriptor, file);
    lock.exec('begin exclusive');
    return release;
  } catch (error) {
    release();
    if (error instanceof UserError) throw error;
    if (isBusy(error)) {
      throw new UserError(
        `Another Branchline server is using ${databaseFile}. Stop it first, or name another database with --database.`,
      );
    }
    throw unusable(error instanceof Error ? error.message : String(error));
  }
}

/** Opens the file, which is made if need be, for its owner only, and never through a link that somebody has put there. */
function openPrivately(file: string): number {
  refuseLink(file);
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), OWNER_ONLY);
  try {
    const { uid, mode } = fstatSync(descriptor);
    const trusted = [process.geteuid?.() ?? uid, statSync(dirname(file)).uid];
    if (!trusted.includes(uid)) {
      throw new UserError(
        `The lock file ${file} belongs to another user (uid ${uid}), who could keep the server from starting. Remove it, and start again.`,
      );
    }
    if ((mode & 0o777) !== OWNER_ONLY) fchmodSync(descriptor, OWNER_ONLY);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new UserError(`The lock file ${file} is a link, which the server does not follow. Remove it, and start again.`);
}

/** SQLite opens the file by its name, and would follow a link that was put there meanwhile. */
function requireSame(descriptor: number, file: string): void {
  const [opened, found] = [fstatSync(descriptor), lstatSync(file)];
  if (opened.dev === found.dev && opened.ino === found.ino) return;
  throw new UserError(`The lock file ${file} was replaced while the server started. Start again.`);
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
