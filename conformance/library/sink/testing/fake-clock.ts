import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** A clock that knows of work outside of the event loop, such as a request. */
export interface WorkClock extends Clock {
  readonly during: <T>(work: Promise<T>) => Promise<T>;
}

/** No two moments are equal, so that events have an order. */
const TICK_MS = 0.001;
/** Turns of the event loop, a millisecond each at least, in which whatever could go on has done so: the kernel's part in a request too. */
const IDLE_TURNS = 5;
/** Work that makes no progress in so many turns, a millisecond each at least, waits for time to pass. */
const STALLED_TURNS = 1_000;

/** Time that stands still while somebody works, and jumps to what is due next when all only wait: however busy the machine is. */
export class FakeClock implements WorkClock {
  #now = 0;
  #timers: Timer[] = [];
  #working = 0;
  #changes = 0;
  #isRunning = false;

  now = (): number => {
    this.#now += TICK_MS;
    return this.#now;
  };

  wall = (): number => Date.UTC(2026, 0, 2) + this.now();

  after = (milliseconds: number, call: () => void): (() => void) => {
    const timer = { at: this.#now + milliseconds, call };
    this.#timers.push(timer);
    this.#changes += 1;
    void this.#run();
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  during = async <T>(work: Promise<T>): Promise<T> => {
    this.#working += 1;
    try {
      return await work;
    } finally {
      this.#working -= 1;
      this.#changes += 1;
    }
  };

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#timers.length > 0) {
      await this.#idle();
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.call();
    }
    this.#isRunning = false;
  }

  async #idle(): Promise<void> {
    let changes = this.#changes;
    for (let turns = 0; turns < (this.#working > 0 ? STALLED_TURNS : IDLE_TURNS); turns += 1) {
      await pause(1);
      if (changes !== this.#changes) turns = 0;
      changes = this.#changes;
    }
  }
}
