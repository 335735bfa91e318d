/** What is done of the work that takes turns, in one turn of the event loop. */
export interface TurnAllowance {
  /** Until when pieces are begun, by `performance.now()`. */
  endsAt: number;
  /** How many more there may be of those that only begin. */
  beginnings: number;
}

interface Bounds {
  least: number;
  most: number;
}

/**
 * The part of what a turn of the event loop takes besides, and bounds in milliseconds. One piece in each would make a turn, not the
 * thread, what is scarce: while much arrives from a database or from clients that come and go, a turn takes many times as long as most
 * pieces.
 */
const PART = 1 / 4;
const BOUNDS_MS: Bounds = { least: 1, most: 4 };

/** For so many milliseconds one more piece that only begins, so that little is under way. */
const BEGINNING_EACH_MS = 2;
const BEGINNINGS: Bounds = { least: 1, most: 8 };

/** @param passed how long the turn of the event loop has taken besides, in milliseconds; 0 where nothing waited for it */
export function allowFor(now: number, passed: number): TurnAllowance {
  return {
    endsAt: now + bound(passed * PART, BOUNDS_MS),
    beginnings: bound(Math.floor(passed / BEGINNING_EACH_MS), BEGINNINGS),
  };
}

function bound(value: number, { least, most }: Bounds): number {
  return Math.min(Math.max(value, least), most);
}
