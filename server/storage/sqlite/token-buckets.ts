import type { Clock } from '../../clock.ts';
import {
  type BucketKey,
  bucketCapacity,
  bucketName,
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

/** By holder, its buckets by name. */
export type BucketMemory = Map<string, Map<string, Bucket>>;

/** How many holders' buckets are looked at while everybody else waits. */
const BITE = 1_000;

/**
 * How many are looked at for each new one. So no more are kept than twice as many as are not full, however fast strangers, each of another
 * network, come.
 */
const LOOKED_AT_FOR_EACH = 2;

/**
 * Token buckets in the memory of this process. That is enough for the embedded database, which serves one process only: there
 * is no other instance to share them with.
 */
export class TokenBuckets implements RateLimiter {
  readonly shared = false;
  readonly #clock: Clock;
  readonly #holders: BucketMemory;
  /** Goes round all holders. */
  #round: MapIterator<[string, Map<string, Bucket>]>;

  /** @param memory shared with the other limiters of the database */
  constructor(clock: Clock, memory: BucketMemory = new Map()) {
    this.#clock = clock;
    this.#holders = memory;
    this.#round = memory.entries();
  }

  take(key: BucketKey, rate: Rate): Decision {
    const now = this.#clock();
    const buckets = this.#bucketsOf(key, now);
    const name = bucketName(key, rate);
    const tokens = refill(buckets.get(name), rate, now);
    const withinLimit = tokens >= 1;
    const left = withinLimit ? tokens - 1 : tokens;
    const fullAt = now + ((bucketCapacity(rate) - left) / rate.perSecond) * 1_000;
    buckets.set(name, { tokens: left, filledAt: now, fullAt });
    return decision(withinLimit, left, rate);
  }

  async *forget(): AsyncGenerator<void> {
    const now = this.#clock();
    let seen = 0;
    for (const [holder, buckets] of this.#holders) {
      this.#forgetFull(holder, buckets, now);
      seen += 1;
      if (seen % BITE === 0) yield;
    }
  }

  async drop(workspaceId: string, holderIds: readonly string[]): Promise<void> {
    for (const holderId of holderIds) this.#holders.delete(nameHolder({ workspaceId, holderId }));
  }

  #bucketsOf(key: BucketKey, now: number): Map<string, Bucket> {
    const holder = nameHolder(key);
    const known = this.#holders.get(holder);
    if (known !== undefined) return known;
    for (let looked = 0; looked < LOOKED_AT_FOR_EACH; looked += 1) this.#lookAtNext(now);
    const buckets = new Map<string, Bucket>();
    this.#holders.set(holder, buckets);
    return buckets;
  }

  #lookAtNext(now: number): void {
    const { value } = this.#round.next();
    if (value === undefined) this.#round = this.#holders.entries();
    else this.#forgetFull(...value, now);
  }

  #forgetFull(holder: string, buckets: Map<string, Bucket>, now: number): void {
    for (const [name, bucket] of buckets) if (now >= bucket.fullAt) buckets.delete(name);
    if (buckets.size === 0) this.#holders.delete(holder);
  }
}

function nameHolder({ workspaceId, holderId }: Pick<BucketKey, 'workspaceId' | 'holderId'>): string {
  return `${workspaceId} ${holderId}`;
}

function refill(bucket: Bucket | undefined, rate: Rate, now: number): number {
  if (bucket === undefined) return bucketCapacity(rate);
  // A clock that was set back must not take tokens away.
  const elapsedSeconds = Math.max(0, now - bucket.filledAt) / 1_000;
  return Math.min(bucketCapacity(rate), bucket.tokens + elapsedSeconds * rate.perSecond);
}
