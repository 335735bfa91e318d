import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many milliseconds, or until the signal, if that comes first. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** By which time steps are paced. */
export interface Pace {
  /** Milliseconds of any clock that only goes forward. */
  now: () => number;
  pause: Pause;
}

/** The time of this machine. */
export const REAL_PACE: Pace = {
  now: () => performance.now(),
  async pause(milliseconds, signal) {
    // Aborted, it has waited long enough.
    await delay(milliseconds, undefined, { signal }).catch(() => {});
  },
};

export interface StepOptions {
  pace: Pace;
  signal: AbortSignal;
  /** Asked before each step; false ends the work. */
  mayGoOn?: () => Promise<boolean>;
}

/**
 * Does work step by step, and rests after each step as long as it took. So it takes at most half of what others need too, such
 * as the one writer of SQLite.
 *
 * @param steps each turn of the iterator is one step, which must be short
 * @returns whether all of it is done; false when the signal came or it may not go on
 */
export async function takeSteps(steps: AsyncIterable<unknown>, options: StepOptions): Promise<boolean> {
  const { pace, signal, mayGoOn = () => Promise.resolve(true) } = options;
  const iterator = steps[Symbol.asyncIterator]();
  while (!signal.aborted && (await mayGoOn())) {
    const began = pace.now();
    const { done } = await iterator.next();
    if (done === true) return true;
    await pace.pause(pace.now() - began, signal);
  }
  await iterator.return?.();
  return false;
}
