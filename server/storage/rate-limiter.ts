/** How fast requests may come on average, and how many at once. */
export interface Rate {
  perSecond: number;
  /** A whole number. Defaults to what a full second allows, at least one. */
  atOnce?: number;
}

/** What one limit is about: whoever asks, and what for. */
export interface BucketKey {
  /** `''` for what is no workspace's. */
  workspaceId: string;
  /** Id of the service account, API key or user; of somebody unknown, where they come from. */
  holderId: string;
  operation: string;
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

/**
 * Token buckets, one a key, shared by all that serve one database. In no span of time are more requests within the limit than
 * its seconds times the rate, and one burst.
 */
export interface RateLimiter {
  /** Takes a token if there is one. A bucket may have another rate each time. */
  take(key: BucketKey, rate: Rate): Decision | Promise<Decision>;

  /** Whether all servers share the buckets, so that one of them may forget for all. */
  readonly shared: boolean;

  /**
   * Drops some of the buckets that are full again, which changes no decision.
   *
   * @returns whether there may be more
   */
  forget(): Promise<'more' | 'done'>;
}

/** How many requests may come at once. */
export function bucketCapacity({ perSecond, atOnce = Math.max(1, Math.floor(perSecond)) }: Rate): number {
  return atOnce;
}

/** @param tokens what is left in the bucket after the request */
export function decision(withinLimit: boolean, tokens: number, rate: Rate): Decision {
  const remaining = Math.floor(tokens);
  const missing = Math.min(bucketCapacity(rate), remaining + 1) - tokens;
  return { withinLimit, remaining, resetSeconds: Math.max(1, Math.ceil(missing / rate.perSecond)) };
}
