import { setTimeout as delay } from 'node:timers/promises';

/** Waits for the given milliseconds, or until the signal aborts, whichever comes first. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** The clock for pacing steps. */
export interface Pace {
  /** Milliseconds of any monotonic clock. */
  now: () => number;
  pause: Pause;
}

/** The clock of this machine. */
export const REAL_PACE: Pace = {
  now: () => performance.now(),
  async pause(milliseconds, signal) {
    // An abort also ends the wait.
    await delay(milliseconds, undefined, { signal }).catch(() => {});
  },
};

export interface StepOptions {
  pace: Pace;
  signal: AbortSignal;
  /** Called before each step; false ends the work. */
  mayGoOn?: () => Promise<boolean>;
}

/** What a step gives to set the rest after it; in milliseconds. */
export class LongRest {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
}

/** The longest rest that a step's own time sets, in milliseconds: a process may stand still in one for hours, and go on. */
const LONGEST_REST_MS = 60_000;

/**
 * Does work step by step, and rests after each step as long as it took, a minute at most, or for a {@link LongRest}. It thus takes at
 * most half of shared resources, such as the one writer of SQLite.
 *
 * @param steps each iteration is one step, which must be short; it may give a {@link LongRest}
 * @returns whether all work is done; false if the signal aborted or it may not continue
 */
export async function takeSteps(steps: AsyncIterable<unknown>, options: StepOptions): Promise<boolean> {
  const { pace, signal, mayGoOn = () => Promise.resolve(true) } = options;
  const iterator = steps[Symbol.asyncIterator]();
  while (!signal.aborted && (await mayGoOn())) {
    const began = pace.now();
    const { done, value } = await iterator.next();
    if (done === true) return true;
    const tookMs = pace.now() - began;
    await pace.pause(value instanceof LongRest ? value.milliseconds : Math.min(tookMs, LONGEST_REST_MS), signal);
  }
  await iterator.return?.();
  return false;
}
