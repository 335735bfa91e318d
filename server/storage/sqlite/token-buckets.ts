import type { Clock } from '../../clock.ts';
import {
  type BucketKey,
  bucketCapacity,
  type Decision,
  decision,
  type Rate,
  type RateLimiter,
} from '../rate-limiter.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
  /** From when on it is full, so that forgetting it changes nothing. */
  fullAt: number;
}

/**
 * Token buckets in the memory of this process. That is enough for the embedded database, which serves one process only: there
 * is no other instance to share them with.
 */
export class TokenBuckets implements RateLimiter {
  readonly shared = false;
  readonly #buckets = new Map<string, Bucket>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take({ workspaceId, holderId, operation }: BucketKey, rate: Rate): Decision {
    const now = this.#clock();
    const key = `${workspaceId} ${holderId} ${operation}`;
    const tokens = this.#refill(key, rate, now);
    const withinLimit = tokens >= 1;
    const left = withinLimit ? tokens - 1 : tokens;
    const fullAt = now + ((bucketCapacity(rate) - left) / rate.perSecond) * 1_000;
    this.#buckets.set(key, { tokens: left, filledAt: now, fullAt });
    return decision(withinLimit, left, rate);
  }

  async forget(): Promise<'done'> {
    const now = this.#clock();
    for (const [key, bucket] of this.#buckets) {
      if (now >= bucket.fullAt) this.#buckets.delete(key);
    }
    return 'done';
  }

  #refill(key: string, rate: Rate, now: number): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return bucketCapacity(rate);
    // A clock that was set back must not take tokens away.
    const elapsedSeconds = Math.max(0, now - bucket.filledAt) / 1_000;
    return Math.min(bucketCapacity(rate), bucket.tokens + elapsedSeconds * rate.perSecond);
  }
}
