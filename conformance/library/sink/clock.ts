/** Time, as the sink knows it. */
export interface Clock {
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** Milliseconds since the beginning of 1970. */
  readonly wall: () => number;
  /** Calls once, after so many milliseconds. @returns what takes that back. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
}

export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
