import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { hasCode } from '../../error-code.ts';

/** "insufficient_privilege", "undefined_function" */
const NO_TRIAL = ['42501', '42883'];

/** Where PostgreSQL waits for standbys, in its own source: what it says of that depends on `lc_messages`. */
const WAIT_FOR_STANDBYS = 'SyncRepWaitForLSN';

/**
 * Remembers that a commit was not answered in time, or without a standby, until another one is: where standbys are synchronous, each
 * commit waits for one of them, and nothing but a commit shows that none is there.
 */
export class HeldCommits {
  #areHeld = false;

  /** A commit was not answered in time, or its wait for a standby was cancelled. */
  note(): void {
    this.#areHeld = true;
  }

  /**
   * Commits for trial if the last one was not answered.
   *
   * @param tryToCommit fails or does not end where commits are held
   */
  async requireCommits(tryToCommit: () => Promise<void>): Promise<void> {
    if (!this.#areHeld) return;
    try {
      await tryToCommit();
    } catch (error) {
      // Where it can't be tried, the next commit that is held has to tell.
      if (!NO_TRIAL.some((code) => hasCode(error, code))) throw error;
    }
    this.#areHeld = false;
  }
}

/** What PostgreSQL says of a statement beside its answer. */
export interface Notice {
  /** The function that says so, in PostgreSQL's own source. */
  routine?: string | undefined;
}

/**
 * Whether PostgreSQL says that the wait of a commit for its standbys was cancelled, as by `pg_cancel_backend`: it is done then, and
 * answered as any, but a failover would lose it.
 */
export function tellsOfCancelledWait({ routine }: Notice): boolean {
  return routine === WAIT_FOR_STANDBYS;
}

/** Commits some bytes of the write-ahead log, and nothing else: what only reads is committed without waiting for standbys. */
export async function tryToCommit(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute((tx) => sql`select pg_logical_emit_message(true, 'branchline', '')`.execute(tx));
}
