/** The average rate of requests, and the size of bursts. */
export interface Rate {
  perSecond: number;
  /** An integer. Defaults to what a full second allows, at least one. */
  atOnce?: number;
}

/** The key of a limit: the client and the operation. */
export interface BucketKey {
  /** `''` outside workspaces. */
  workspaceId: string;
  /** Id of the service account, API key or user; for unknown clients, their network. */
  holderId: string;
  operation: string;
}

/** The bucket's decision on a request. */
export interface Decision {
  /** Whether there was a token for it. Otherwise nothing is taken. */
  withinLimit: boolean;
  /** The number of further requests within the limit now. */
  remaining: number;
  /** Whole seconds, at least 1, until there is a token again. */
  resetSeconds: number;
}

/**
 * Token buckets, one per key and rate, shared by all servers of a database. In any period, the number of requests within the limit is
 * at most its seconds times the rate, plus one burst. A server with another rate has a bucket of its own: else the faster one would
 * fill that of the slower one, which would let through more than its limit.
 */
export interface RateLimiter {
  /**
   * Takes a token if there is one.
   *
   * @throws NotWanted when the client of the request has gone while it waited for the database; then none was taken
   */
  take(key: BucketKey, rate: Rate): Decision | Promise<Decision>;

  /** Whether all servers share the buckets, so that one server can prune them for all. */
  readonly shared: boolean;

  /** Drops the buckets that have refilled, which changes no decision. Each turn of the iterator is one short step. */
  forget(): AsyncIterable<unknown>;

  /**
   * Drops the buckets of accounts or keys that are no more: a slow one's would stay for a day. To be called once their deletion is
   * committed: before that, requests that wait for a row would bring it back. One that is still under way may leave a bucket,
   * which goes when it has refilled.
   */
  drop(workspaceId: string, holderIds: readonly string[]): Promise<void>;
}

/** The size of a burst. */
export function bucketCapacity({ perSecond, atOnce = Math.max(1, Math.floor(perSecond)) }: Rate): number {
  return atOnce;
}

/** What tells a bucket from the others of its holder. */
export function bucketName({ operation }: BucketKey, rate: Rate): string {
  return `${operation} ${rate.perSecond}/${bucketCapacity(rate)}`;
}

/** @param tokens the tokens left in the bucket after the request */
export function decision(withinLimit: boolean, tokens: number, rate: Rate): Decision {
  const remaining = Math.floor(tokens);
  const missing = Math.min(bucketCapacity(rate), remaining + 1) - tokens;
  return { withinLimit, remaining, resetSeconds: Math.max(1, Math.ceil(missing / rate.perSecond)) };
}
