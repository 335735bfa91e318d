import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '@branchline/command-line';
import { isBusy } from './busy-retry.ts';
import { damage } from './health.ts';
import { makeFolderOf } from './made-folder.ts';
import { advise } from './prepared-file.ts';
import { otherKind, requireRegularFiles } from './regular-files.ts';
import { resolveLinks } from './resolve-links.ts';

/** A lock that somebody else may open keeps the server from starting whenever they like. */
const OWNER_ONLY = 0o600;

/** Another server has it. */
export class DatabaseInUse extends UserError {}

/** That this process is the one server of a database. */
export interface ServerLock {
  /** Gives the lock back. Its file stays: as a trace of a database, should that be lost. */
  readonly release: () => void;
  /** Gives the lock back where no database has come to be, and takes away what was made for it. */
  readonly undo: () => void;
}

/**
 * Makes this process the one server of an embedded database. The lock is the operating system's, held through an empty
 * database file beside it, so it ends with the process, however that ends. Commands that only look up or change accounts
 * do not take it: they may run beside the server.
 *
 * @param databaseFile also a link to it; it need not be there yet
 * @throws DatabaseInUse when another server has it; UserError when it can't be made, or another user could hold it
 */
export function lockForServing(databaseFile: string): ServerLock {
  const file = `${resolveLinks(databaseFile)}.lock`;
  let removeFolder = () => {};
  let opened: OpenedLock | undefined;
  let lock: DatabaseSync | undefined;
  const release = () => {
    lock?.close();
    // The process loses all its locks on a file with the first descriptor of it that it closes.
    if (opened !== undefined) closeSync(opened.descriptor);
  };
  const undo = () => {
    if (opened?.isNew === true && isSame(opened.descriptor, file)) rmSync(file);
    release();
    removeFolder();
  };
  try {
    removeFolder = makeFolderOf(file);
    opened = openPrivately(file);
    lock = new DatabaseSync(file, { timeout: 0 });
    requireSame(opened.descriptor, file);
    lock.exec('begin exclusive');
    // A server that ended meanwhile may have removed it.
    requireSame(opened.descriptor, file);
    return { release, undo };
  } catch (error) {
    if (isBusy(error)) release();
    else undo();
    if (error instanceof UserError) throw error;
    if (isBusy(error)) {
      throw new DatabaseInUse(
        `Another Branchline server is using ${databaseFile}. Stop it first, or name another database with --database.`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    if (damage(error, file) !== undefined) {
      throw new UserError(
        `The lock file ${file} is damaged (${reason}). Remove it, and start again: nothing is stored in it.`,
      );
    }
    throw new UserError(`The server can't use ${databaseFile}: ${reason}. ${advise(databaseFile, error)}`);
  }
}

interface OpenedLock {
  descriptor: number;
  /** Whether it was made by this. */
  isNew: boolean;
}

/** Opens the file, which is made if need be, for its owner only, and never through a link that somebody has put there. */
function openPrivately(file: string): OpenedLock {
  refuseLink(file);
  refuseOtherKind(file);
  requireRegularFiles(file);
  const opened = openOrMake(file);
  try {
    const { uid, mode } = fstatSync(opened.descriptor);
    const trusted = [process.geteuid?.() ?? uid, statSync(dirname(file)).uid];
    if (!trusted.includes(uid)) {
      throw new UserError(
        `The lock file ${file} belongs to another user (uid ${uid}), who could keep the server from starting. Remove it, and start again.`,
      );
    }
    if ((mode & 0o777) !== OWNER_ONLY) fchmodSync(opened.descriptor, OWNER_ONLY);
    return opened;
  } catch (error) {
    closeSync(opened.descriptor);
    throw error;
  }
}

function openOrMake(file: string): OpenedLock {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  try {
    return { descriptor: openSync(file, flags | constants.O_EXCL, OWNER_ONLY), isNew: true };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return { descriptor: openSync(file, flags, OWNER_ONLY), isNew: false };
  }
}

function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new UserError(`The lock file ${file} is a link, which the server does not follow. Remove it, and start again.`);
}

function refuseOtherKind(file: string): void {
  const other = otherKind(file);
  if (other === undefined) return;
  throw new UserError(`The lock file ${file} is ${other}, not a regular file. Remove it, and start again.`);
}

/** SQLite opens the file by its name, and would follow a link that was put there meanwhile. */
function requireSame(descriptor: number, file: string): void {
  if (isSame(descriptor, file)) return;
  throw new UserError(`The lock file ${file} was replaced while the server started. Start again.`);
}

function isSame(descriptor: number, file: string): boolean {
  const [opened, found] = [fstatSync(descriptor), lstatSync(file, { throwIfNoEntry: false })];
  return opened.dev === found?.dev && opened.ino === found.ino;
}
