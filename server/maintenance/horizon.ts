/** Clients keep events for at most 7 days, so events older than this are never sent again. */
export const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;

/** The longest time that one move makes up for; it runs every hour. */
const LONGEST_MS = 2 * 60 * 60 * 1_000;

/** The time before which everything may be deleted, and when it was set; milliseconds since 1970. */
export interface Horizon {
  horizon: number;
  movedAt: number;
}

/**
 * Moves the horizon towards 30 days ago, and never back. In real time it moves at most twice as fast as time passes, so a clock
 * that is a year ahead for a day moves it by two days: far less than the time for which more is remembered than clients need.
 *
 * @param now the clock's time, which may be wrong
 * @param elapsedMs the real time since the last move, if known; not always whole milliseconds, which are what is stored
 */
export function moveHorizon(last: Horizon | undefined, now: number, elapsedMs: number): Horizon {
  const wanted = now - REMEMBERED_MS;
  if (last === undefined) return { horizon: wanted, movedAt: now };
  const byClock = now - last.movedAt;
  const passed = Math.trunc(Math.max(0, Math.min(byClock, elapsedMs, LONGEST_MS)));
  return { horizon: Math.max(last.horizon, Math.min(wanted, last.horizon + 2 * passed)), movedAt: now };
}
