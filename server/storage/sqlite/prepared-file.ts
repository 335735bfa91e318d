import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import { isUpToDate, migrate } from '../migrate.ts';
import type { Tables } from '../tables.ts';
import { isOutOfFiles } from '../transient-errors.ts';
import { BUSY_ADVICE, BusyRetry, isBusy } from './busy-retry.ts';
import { openConnection } from './connection.ts';
import { NodeSqliteDialect } from './dialect.ts';
import { refuseForeignFile } from './foreign-file.ts';
import { damage } from './health.ts';
import { makeDatabaseFile } from './made-database.ts';
import { refuseMixedFiles } from './mixed-files.ts';
import { requireRegularFiles } from './regular-files.ts';
import { cannotGrow } from './room-to-grow.ts';
import { findForbidden, isReadOnly, READ_ONLY_ADVICE } from './permissions.ts';
import { putLogBack } from './set-aside-log.ts';
import { refuseStrayLog } from './stray-log.ts';

/** The file of a database that is ours, or empty. */
export interface MadeFile {
  /** What was put back of it, in a sentence. */
  putBack: string | undefined;
  /** Takes away what was made, where nobody uses it and nothing was stored in it. To be called when it is closed. */
  unmake: () => void;
}

/**
 * Makes the file of a database, where it is not there, and looks whether SQLite may open it. One that is there is as it was.
 *
 * @throws UserError when it can't be used, or is another program's
 */
export async function makeFile(file: string): Promise<MadeFile> {
  requireRegularFiles(file);
  refuseStrayLog(file);
  const putBack = await putLogBack(file);
  try {
    const unmake = makeDatabaseFile(file);
    refuseSecondName(file);
    refuseMixedFiles(file);
    await new BusyRetry().run(async () => refuseForeignFile(file));
    return { putBack, unmake };
  } catch (error) {
    throw unusable(file, error);
  }
}

/**
 * Migrates over a connection of its own, in this thread: there is nobody yet whom that could hold up.
 *
 * @throws UserError when the file can't be used, or belongs to a newer version
 */
export async function migrateFile(file: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openFile(file)) });
  try {
    if (await isUpToDate(db)) return;
    // Beginning takes the lock for writing, so those who open it at once migrate it one after the other.
    await db.transaction().execute((tx) => migrate(tx, { place: file, create: true }));
  } catch (error) {
    throw damage(error, file) ?? unusable(file, error, 'migrated to this version');
  } finally {
    await db.destroy();
  }
}

/** @throws UserError when the file can't be used */
export function openFile(file: string): DatabaseSync {
  try {
    return openConnection(file);
  } catch (error) {
    throw unusable(file, error);
  }
}

/**
 * SQLite keeps its log, and we our lock, beside the name by which a file is opened: by two names, two would write the same file
 * without knowing of each other.
 */
function refuseSecondName(file: string): void {
  const found = statSync(file);
  if (!found.isFile() || found.nlink <= 1) return;
  throw new UserError(
    `The database file ${file} has ${found.nlink} names (hard links), and whoever opens it by two of them damages it. ` +
      'Remove all but one (`find -samefile` shows them), and start again; for a backup, make a copy.',
  );
}

function unusable(file: string, error: unknown, use: 'opened' | 'migrated to this version' = 'opened'): UserError {
  if (error instanceof UserError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new UserError(`The database file ${file} can't be ${use}: ${reason}. ${advise(file, error)}`);
}

/** What to do when a file of a database can't be opened: another one is of no use where the disk is full, or the process may open no more. */
export function advise(file: string, error: unknown): string {
  if (damage(error, file) !== undefined) return 'Restore it from your backup, or name another with --database.';
  if (isOutOfFiles(error)) return 'No more files can be opened: raise that limit (ulimit -n), and try again.';
  if (isBusy(error)) return BUSY_ADVICE;
  if (!cannotGrow(error) && !isOutOfRoom(error)) return adviseOnRights(file, error);
  return 'Its disk is full, or fails, or a quota or a limit on the size of files is met: mend that, and try again.';
}

function adviseOnRights(file: string, error: unknown): string {
  const forbidden = findForbidden(file);
  if (forbidden === undefined) return isReadOnly(error) ? READ_ONLY_ADVICE : 'Name another with --database.';
  return `The user that runs this may not read and write ${forbidden}: give it that right, or name another with --database.`;
}

/** The system's codes for a file that can't be made or grow. */
const OUT_OF_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && OUT_OF_ROOM.has(error.code);
}
