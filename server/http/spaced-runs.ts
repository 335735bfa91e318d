import { setTimeout } from 'node:timers/promises';

export interface SpacedRunsOptions<Result> {
  work: () => Promise<Result>;
  /** From the begin of a run to that of the next, in milliseconds. */
  spacingMs: number;
  /** Milliseconds of any monotonic clock. Defaults to the process's. */
  now?: () => number;
  /** Defaults to that of the machine. */
  delay?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Work that anybody may ask for, at a cost that does not grow with how often: whoever asks soon after a run began waits for the
 * next, which all who ask until then share. So each result tells of the time after it was asked for.
 */
export class SpacedRuns<Result> {
  readonly #options: Required<SpacedRunsOptions<Result>>;
  #begunAt = Number.NEGATIVE_INFINITY;
  #next: Promise<Result> | undefined;

  constructor({ now = () => performance.now(), delay = setTimeout, ...options }: SpacedRunsOptions<Result>) {
    this.#options = { ...options, now, delay };
  }

  /** Rejects for all who share a run that fails. */
  run(): Promise<Result> {
    const { spacingMs, now, delay } = this.#options;
    const restMs = this.#begunAt + spacingMs - now();
    if (this.#next === undefined && restMs <= 0) return this.#begin();
    this.#next ??= delay(restMs).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<Result> {
    this.#next = undefined;
    this.#begunAt = this.#options.now();
    return this.#options.work();
  }
}
