import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../../user-error.ts';

/**
 * Makes this process the one server of an embedded database. The lock is the operating system's, held through an empty
 * database file beside it, so it ends with the process, however that ends. Commands that only look up or change accounts
 * do not take it: they may run beside the server.
 *
 * @param databaseFile also a link to it; it need not be there yet
 * @returns a function that gives the lock back
 * @throws UserError when another server has it, or it can't be made
 */
export function lockForServing(databaseFile: string): () => void {
  const lock = openLock(databaseFile);
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    throw new UserError(
      `Another Branchline server is using ${databaseFile}. Stop it first, or name another database with --database.`,
    );
  }
  return () => lock.close();
}

function openLock(databaseFile: string): DatabaseSync {
  try {
    mkdirSync(dirname(databaseFile), { recursive: true });
    const file = existsSync(databaseFile) ? realpathSync(databaseFile) : databaseFile;
    return new DatabaseSync(`${file}.lock`, { timeout: 0 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`The server can't use ${databaseFile}: ${reason}. Name another database with --database.`);
  }
}
