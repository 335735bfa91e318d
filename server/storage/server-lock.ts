import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../user-error.ts';

/**
 * Makes this process the one server of an embedded database. The lock is the operating system's, held through an empty
 * database file beside it, so it ends with the process, however that ends. Commands that only look up or change accounts
 * do not take it: they may run beside the server.
 *
 * @returns a function that gives the lock back
 * @throws UserError when another server has it
 */
export function lockForServing(databaseFile: string): () => void {
  mkdirSync(dirname(databaseFile), { recursive: true });
  const lock = new DatabaseSync(`${databaseFile}.lock`, { timeout: 0 });
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
