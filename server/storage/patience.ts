import { setTimeout as delay } from 'node:timers/promises';

const SQLITE_BUSY = 5;
const PAUSE_MS = 5;
const LONGEST_WAIT_MS = 5_000;

/**
 * Tries again while another connection has the database locked, for at most 5 seconds. SQLite's own waiting would hold the
 * whole process still, this one only the caller.
 *
 * @throws what `attempt` threw last
 */
export async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
