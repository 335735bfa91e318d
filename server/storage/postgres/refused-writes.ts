import { DatabaseUnavailable } from '../transient-errors.ts';

/**
 * What PostgreSQL refuses a write with because somebody has changed tables, or the rights to them: all of class 42 ("syntax error or
 * access rule violation"), a column or a check of theirs that a value does not meet, and a trigger that raises an exception.
 */
const CHANGED = /^(42|23502$|23514$|P0001$)/;

const REMEMBERED_MS = 10_000;

/**
 * Remembers for ten seconds that a write was refused so: reads still succeed and would not show it, and no trial writes in each way
 * that requests do.
 */
export class RefusedWrites {
  readonly #now: () => number;
  #refusal: Error | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of any monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Runs a write, whose error is learned from. */
  async watch<Result>(write: Promise<Result>): Promise<Result> {
    try {
      return await write;
    } catch (error) {
      this.#learnFrom(error);
      throw error;
    }
  }

  /** @throws DatabaseUnavailable within ten seconds of such a refusal */
  check(): void {
    if (this.#refusal === undefined || this.#now() - this.#refusedAt > REMEMBERED_MS) return;
    throw new DatabaseUnavailable(
      `The database refuses what the server writes (${this.#refusal.message}): its tables, or the rights to them, were changed. ` +
        'Change them back, or restore the database from your backup.',
      { cause: this.#refusal },
    );
  }

  #learnFrom(error: unknown): void {
    if (!(error instanceof Error) || !('code' in error) || !CHANGED.test(String(error.code))) return;
    this.#refusal = error;
    this.#refusedAt = this.#now();
  }
}
