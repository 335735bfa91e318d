import { waitForDisk } from './disk-answer.ts';
import { sizeOf } from './file-size.ts';
import { refuseLostDatabaseOfServer } from './lost-database.ts';
import { makeFile, migrateFile } from './prepared-file.ts';
import { DatabaseInUse, lockForServing, type ServerLock } from './server-lock.ts';

/**
 * Makes this process the one server of an embedded database. One that is not there is made before the lock beside it, and before all
 * else: so wherever a first start is killed, the next one goes on, and what lies beside no database tells that one was lost.
 *
 * @param onWait - Told what is waited for, as a log line, whenever that has taken a second.
 * @throws DatabaseInUse when another server has it; UserError when it was lost, or can't be used
 */
export async function claimDatabase(database: string, onWait: (line: string) => void): Promise<ServerLock> {
  await waitForDisk(database, onWait);
  refuseLost(database);
  const unmake = await makeNew(database);
  try {
    const lock = lockForServing(database);
    const undo = () => {
      lock.undo();
      unmake();
    };
    return { release: lock.release, undo };
  } catch (error) {
    // Then it is that other server's, whoever has made it.
    if (!(error instanceof DatabaseInUse)) unmake();
    throw error;
  }
}

/** A server that still uses a database that was removed under it says so first. */
function refuseLost(database: string): void {
  try {
    refuseLostDatabaseOfServer(database);
  } catch (error) {
    lockForServing(database).undo();
    throw error;
  }
}

/** @returns takes it away again */
async function makeNew(database: string): Promise<() => void> {
  if (sizeOf(database) > 0) return () => {};
  const { unmake } = await makeFile(database);
  try {
    await migrateFile(database);
    return unmake;
  } catch (error) {
    unmake();
    throw error;
  }
}
