import type { Clock } from '../clock.ts';

/** How fast requests may come: on average `perSecond`, and at once as many as a full second allows (at least one). */
export interface Rate {
  perSecond: number;
}

/** What the bucket said to one request. */
export interface Decision {
  /** Whether there was a token for it. A request without one takes nothing. */
  withinLimit: boolean;
  /** How many further requests would be within the limit now. */
  remaining: number;
  /** Whole seconds, at least 1, until there is a token again. */
  resetSeconds: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
  /** From when on it is full, so that forgetting it changes nothing. */
  fullAt: number;
}

const SWEEP_EVERY_MS = 60_000;

/**
 * Token buckets by key, in the memory of this process. That is enough for the embedded database, which serves one process
 * only: there is no other instance to share them with.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #clock: Clock;
  #sweptAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sweptAt = clock();
  }

  take(key: string, rate: Rate): Decision {
    const now = this.#clock();
    this.#sweep(now);
    const capacity = capacityOf(rate);
    const tokens = this.#refill(key, rate, now);
    const withinLimit = tokens >= 1;
    const left = withinLimit ? tokens - 1 : tokens;
    this.#buckets.set(key, { tokens: left, filledAt: now, fullAt: now + ((capacity - left) / rate.perSecond) * 1_000 });
    return {
      withinLimit,
      remaining: Math.floor(left),
      resetSeconds: Math.max(1, Math.ceil((Math.min(capacity, Math.floor(left) + 1) - left) / rate.perSecond)),
    };
  }

  #refill(key: string, rate: Rate, now: number): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return capacityOf(rate);
    // A clock that was set back must not take tokens away.
    const elapsedSeconds = Math.max(0, now - bucket.filledAt) / 1_000;
    return Math.min(capacityOf(rate), bucket.tokens + elapsedSeconds * rate.perSecond);
  }

  #sweep(now: number): void {
    if (Math.abs(now - this.#sweptAt) < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [key, bucket] of this.#buckets) {
      if (now >= bucket.fullAt) this.#buckets.delete(key);
    }
  }
}

/** How many requests may come at once. */
export function capacityOf({ perSecond }: Rate): number {
  return Math.max(1, Math.floor(perSecond));
}
