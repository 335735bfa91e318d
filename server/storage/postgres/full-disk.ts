import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { DatabaseUnavailable } from '../transient-errors.ts';
import { hasCode } from '../../error-code.ts';

/** How often a trial may write, in milliseconds. */
const TRY_EVERY_MS = 1_000;

/** "disk_full", "insufficient_privilege" */
const DISK_FULL = '53100';
const NO_RIGHT = '42501';

/**
 * Remembers that a statement failed because the disk was full, until a trial has found room: reads still succeed and would not
 * show it, and so do writes into pages that the tables have already.
 */
export class FullDisk {
  readonly #now: () => number;
  #shortage: Error | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of any monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @param error the error of any failed operation */
  learnFrom(error: unknown): void {
    if (hasCode(error, DISK_FULL)) this.#shortage = error;
  }

  /**
   * Tries, at most once a second, whether there is room again.
   *
   * @param tryToGrow fails with PostgreSQL's error where there is none
   * @throws DatabaseUnavailable while the disk counts as full
   */
  async requireRoom(tryToGrow: () => Promise<void>): Promise<void> {
    if (this.#shortage !== undefined && this.#now() - this.#triedAt >= TRY_EVERY_MS) {
      this.#triedAt = this.#now();
      await this.#try(tryToGrow);
    }
    if (this.#shortage === undefined) return;
    throw new DatabaseUnavailable(`The database's disk is full (${this.#shortage.message}).`, {
      cause: this.#shortage,
    });
  }

  async #try(tryToGrow: () => Promise<void>): Promise<void> {
    try {
      await tryToGrow();
      this.#shortage = undefined;
    } catch (error) {
      if (hasCode(error, DISK_FULL)) return;
      // Where it can't be tried, the next write that fails has to tell.
      if (!hasCode(error, NO_RIGHT)) throw error;
      this.#shortage = undefined;
    }
  }
}

/** Four of them fill a page of 8 KiB, and none is so long that it would be compressed. */
const ROW_CHARACTERS = 1_900;

/** 256 KiB: more than a common request takes, and more than PostgreSQL may have made ready for a table at once. */
const ROWS = 4 * 32;

/**
 * Takes room on the disk that the tables are on, and gives it back: pages of existing tables may be free though the disk is full, so
 * a table is made, which goes with the transaction. What is not logged can't fill the disk of the write-ahead log.
 *
 * @throws PostgreSQL's error where there is no room, or no right to make a table
 */
export async function tryToGrow(db: Kysely<Tables>, milliseconds: number): Promise<void> {
  const table = sql.table(`room_${randomUUID()}`);
  const enough = new Error('There is room.');
  const trial = db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(milliseconds)}`.execute(tx);
    await sql`create unlogged table ${table} (filling text)`.execute(tx);
    await sql`insert into ${table} select repeat('x', ${sql.lit(ROW_CHARACTERS)}) from generate_series(1, ${sql.lit(ROWS)})`.execute(
      tx,
    );
    throw enough;
  });
  await trial.catch((error: unknown) => {
    if (error !== enough) throw error;
  });
}
