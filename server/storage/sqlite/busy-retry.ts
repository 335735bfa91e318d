import { setTimeout as delay } from 'node:timers/promises';
import { sqliteCode } from '../../error-code.ts';

/** What to do where the database stays locked. Commands that are run at once wait for one another too. */
export const BUSY_ADVICE = 'Another command or program is writing to it: try again when that has ended.';

const SQLITE_BUSY = 5;
const PAUSE_MS = 5;
const LONGEST_WAIT_MS = 5_000;

/**
 * Tries again while another process has the database locked. SQLite's own waiting would hold the whole process still, this
 * only those who want the lock. They want it one after the other, and all together wait at most 5 seconds: once that is
 * over, each tries once, until one succeeds.
 */
export class BusyRetry {
  #waitingSince: number | undefined;

  /** @throws what `attempt` threw last */
  async run<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await attempt();
        this.#waitingSince = undefined;
        return result;
      } catch (error) {
        if (!isBusy(error) || this.#isOver(performance.now())) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  #isOver(now: number): boolean {
    this.#waitingSince ??= now;
    return now - this.#waitingSince > LONGEST_WAIT_MS;
  }
}

/** Whether SQLite found the file locked by another connection. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}
