import type { Transaction } from 'kysely';
import { sqliteCode } from '../../error-code.ts';
import { presentHolder } from '../holder.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';

/**
 * SQLite's primary result codes for a file that can't grow. A quota, or a limit on the size of files, is an I/O error to SQLite, of
 * whichever call met it (write, truncate, sync, the shared memory); Node does not tell which error of the system it was.
 */
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_NOLFS = 22;

/**
 * Remembers that a write failed because a file could not grow (a full disk, a quota, a limit on the size of files), until one
 * has succeeded: reads go on succeeding, and so do transactions that write nothing.
 */
export class RoomToGrow {
  #shortage: Error | undefined;
  #giveWay: () => Promise<boolean> = async () => false;
  #making: Promise<boolean> | undefined;

  /** What the first write failed with; undefined: none has failed since the last that succeeded. */
  get shortage(): Error | undefined {
    return this.#shortage;
  }

  /** Takes what frees room on the same disk; it resolves with whether there was anything to free. */
  whenShort(giveWay: () => Promise<boolean>): void {
    this.#giveWay = giveWay;
  }

  /**
   * Is told of each transaction that was committed how many rows it changed. What is done for nobody in particular, such as noting
   * when credentials were used, proves nothing: it may fit into a page where no request does.
   */
  committed(changedRows: number): void {
    if (changedRows > 0 && presentHolder() !== '') this.#shortage = undefined;
  }

  /** A writer that learns from how its transactions fail, and tries one again for which room could be made. */
  watch(write: Storage['write']): Storage['write'] {
    return async (work) => {
      try {
        return await write(work).catch(async (error) => {
          if (cannotGrow(error) && (await this.#makeRoom())) return write(work);
          throw error;
        });
      } catch (error) {
        if (cannotGrow(error)) this.#shortage ??= error;
        throw error;
      }
    };
  }

  /** Once for all transactions that fail meanwhile. */
  #makeRoom(): Promise<boolean> {
    this.#making ??= this.#giveWay().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }
}

/** Whether a database failed because one of its files could not grow. */
export function cannotGrow(error: unknown): error is Error {
  const code = sqliteCode(error);
  return code !== undefined && [SQLITE_IOERR, SQLITE_FULL, SQLITE_NOLFS].includes(code);
}

/** More than a branch that is created changes, 10 to 20 pages of 4 KiB with the indexes. */
const TRIAL_CHARACTERS = 32 * 4_096;

/** No task of the maintenance, and in no state that is committed. */
const TRIAL = '#trial';

/** Writes as much as a common request, for real, and leaves no row: what changes a page is in the log, whatever is undone after. */
export async function tryToGrow(tx: Transaction<Tables>): Promise<void> {
  const row = { task: TRIAL, due_at: 0, holder: 'x'.repeat(TRIAL_CHARACTERS), leased_until: 0 };
  await tx.insertInto('maintenance').values(row).execute();
  await tx.deleteFrom('maintenance').where('task', '=', TRIAL).execute();
}
