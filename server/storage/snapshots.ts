import { FairShare } from '@branchline/runtime';
import { workHolding } from './holder.ts';
import { Unavailable } from './transient-errors.ts';

/** The maximum number of snapshots, how long to wait for one, and their maximum age, in milliseconds. */
export interface SnapshotBounds {
  /** Defaults to 4. */
  atOnce?: number;
  /** Defaults to 20,000. */
  waitMs?: number;
  /** Defaults to 300,000: a server that is busy with other tenants may take ten times as long as one that is idle. */
  longestMs?: number;
}

/** The default number of snapshots that a process reads at once. */
export const SNAPSHOTS_AT_ONCE = 4;

/**
 * The open snapshots. A snapshot delays other work (checkpoints of SQLite, vacuuming in PostgreSQL, a
 * connection) only for a bounded time, whatever its reader does, and no holder can take all of them.
 */
export class Snapshots {
  readonly #places: FairShare;
  readonly #waitMs: number;
  readonly #longestMs: number;

  constructor({ atOnce = SNAPSHOTS_AT_ONCE, waitMs = 20_000, longestMs = 300_000 }: SnapshotBounds = {}) {
    this.#places = new FairShare({ total: atOnce });
    this.#waitMs = waitMs;
    this.#longestMs = longestMs;
  }

  /**
   * Reads a snapshot to its end, or until its time limit.
   *
   * @param rows opens the snapshot when its first rows are requested, and closes it when it returns
   * @throws Unavailable (when the first rows are requested) if others hold all snapshots
   */
  async *stream<Row>(holder: string, rows: AsyncGenerator<Row[], void, undefined>): AsyncGenerator<Row[]> {
    const giveBack = await this.#places.take(holder, { waitMs: this.#waitMs });
    if (giveBack === undefined) throw new Unavailable('Other exports are being read.');
    let tooOld: Error | undefined;
    const end = async () => {
      try {
        await rows.return();
      } finally {
        giveBack();
      }
    };
    const timer = setTimeout(() => {
      tooOld = new Unavailable(`A snapshot was ended: it was not read within ${this.#longestMs / 1_000} seconds.`);
      // A failure to end it surfaces where it is read.
      end().catch(() => {});
    }, this.#longestMs).unref();
    try {
      for (;;) {
        const { done, value } = await workHolding(() => rows.next());
        if (tooOld !== undefined) throw tooOld;
        if (done === true) return;
        yield value;
      }
    } finally {
      clearTimeout(timer);
      await end();
    }
  }
}
