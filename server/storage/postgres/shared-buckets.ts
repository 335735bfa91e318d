import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { NotWanted, presentWish } from '../holder.ts';
import type { Tables } from '../tables.ts';
import {
  type BucketKey,
  bucketCapacity,
  bucketName,
  type Decision,
  decision,
  type Rate,
  type RateLimiter,
} from '../rate-limiter.ts';
import { RefusedWrites } from './refused-writes.ts';

/** How many buckets one statement looks at. */
const BITE = 1_000;

/** How many requests share a statement: they go on in one turn of the event loop, for which everybody else waits. */
const MOST_TOGETHER = 16;

/** No statement lives this long, so a time that is older by more comes from a clock that was set back. */
const OLDEST_STATEMENT_MS = 60_000;

/** On PostgreSQL only. */
export interface RateLimitTables {
  rate_limits: BucketRow;
}

interface BucketRow {
  workspace_id: string;
  holder_id: string;
  /** With the rate, see {@link bucketName}. */
  operation: string;
  tokens: number;
  /** How many of the requests that came last, together, got a token. */
  granted: number;
  filled_at: number;
  /** From when on it is full, so that forgetting it changes nothing. */
  full_at: number;
}

/** The primary key, in order. */
const KEY = ['workspace_id', 'holder_id', 'operation'] as const;

type SeenBucket = Pick<BucketRow, (typeof KEY)[number]> & { is_full: boolean };

type Place = readonly [workspaceId: string, holderId: string, operation: string];

/** Before all buckets. */
const START: Place = ['', '', ''];

interface Waiter extends PromiseWithResolvers<Decision> {
  isWanted: () => boolean;
}

/**
 * Token buckets in a table of PostgreSQL, shared by every server of the database. One statement takes tokens and says how many
 * there were; the row's lock lets the servers that come at once through one after the other.
 *
 * Of one server, a bucket has one statement at a time, and the requests that come meanwhile share the next one: each would
 * otherwise hold a connection while it waits for the row, and a flood of one bucket would have all of them. Of those whose client has
 * gone meanwhile none is counted: others would wait for them.
 */
export class SharedBuckets implements RateLimiter {
  readonly shared = true;
  readonly #db: Kysely<Tables>;
  readonly #clock: Clock | undefined;
  readonly #refusals: RefusedWrites;
  /** By bucket, the requests that wait for the statement under way to end. */
  readonly #waiting = new Map<string, Waiter[]>();

  /**
   * @param clock left out: the database's, since those of several machines differ, and a bucket would gain by it
   * @param refusals are told where PostgreSQL refuses to write a bucket; left out: nobody is
   */
  constructor(db: Kysely<Tables>, clock?: Clock, refusals = new RefusedWrites()) {
    this.#db = db;
    this.#clock = clock;
    this.#refusals = refusals;
  }

  take(key: BucketKey, rate: Rate): Promise<Decision> {
    const waiter = { ...Promise.withResolvers<Decision>(), isWanted: presentWish() };
    const bucket = JSON.stringify([key.workspaceId, key.holderId, bucketName(key, rate)]);
    const waiting = this.#waiting.get(bucket);
    if (waiting === undefined) void this.#serve(bucket, key, rate, waiter);
    else waiting.push(waiter);
    return waiter.promise;
  }

  async #serve(bucket: string, key: BucketKey, rate: Rate, first: Waiter): Promise<void> {
    const waiting: Waiter[] = [];
    this.#waiting.set(bucket, waiting);
    for (let together = [first]; together.length > 0; together = takeWanted(waiting)) {
      await this.#takeTogether(key, rate, together);
    }
    this.#waiting.delete(bucket);
  }

  async #takeTogether(key: BucketKey, rate: Rate, waiters: readonly Waiter[]): Promise<void> {
    try {
      const { granted, tokens } = await this.#refusals.watch(this.#takeTokens(key, rate, waiters.length));
      for (const [index, { resolve }] of waiters.entries()) {
        const isGranted = index < granted;
        resolve(decision(isGranted, isGranted ? tokens + granted - 1 - index : tokens, rate));
      }
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    }
  }

  /** @returns how many tokens there were of those wanted, and what is left in the bucket */
  #takeTokens(key: BucketKey, rate: Rate, wanted: number): Promise<Pick<BucketRow, 'granted' | 'tokens'>> {
    const capacity = bucketCapacity(rate);
    const ofFull = Math.min(wanted, capacity);
    const perSecond = float(rate.perSecond);
    // Read once, before the row's lock is waited for: then it may be older than the bucket's own time, and adds nothing.
    const now = sql.ref('excluded.filled_at');
    const bucketTime = sql.ref('rate_limits.filled_at');
    const elapsed = sql`greatest(0, ${now} - ${bucketTime})::double precision / 1000`;
    const refilled = sql`least(${float(capacity)}, ${sql.ref('rate_limits.tokens')} + ${elapsed} * ${perSecond})`;
    const granted = sql<number>`least(floor(${refilled}), ${float(wanted)})`;
    const tokens = sql<number>`${refilled} - ${granted}`;
    return this.#db
      .insertInto('rate_limits')
      .values({
        workspace_id: key.workspaceId,
        holder_id: key.holderId,
        operation: bucketName(key, rate),
        tokens: capacity - ofFull,
        granted: ofFull,
        filled_at: this.#now(),
        full_at: sql<number>`${this.#now()} + ${wholeMs(sql`${float(ofFull * 1_000)} / ${perSecond}`)}`,
      })
      .onConflict((conflict) =>
        conflict.columns(KEY).doUpdateSet({
          tokens,
          granted,
          filled_at: sql<number>`case when ${now} < ${bucketTime} - ${sql.lit(OLDEST_STATEMENT_MS)} then ${now}
            else greatest(${now}, ${bucketTime}) end`,
          full_at: sql<number>`greatest(${now}, ${bucketTime})
            + ${wholeMs(sql`(${float(capacity)} - (${tokens})) / ${perSecond} * 1000`)}`,
        }),
      )
      .returning(['tokens', 'granted'])
      .executeTakeFirstOrThrow();
  }

  /**
   * Goes through all buckets in the order of their keys. With an index on `full_at` it would meet full ones alone, but then each
   * request would have to write into that index.
   */
  async *forget(): AsyncGenerator<void> {
    for (let after: Place | undefined = START; after !== undefined;) {
      const next: SeenBucket[] = await this.#next(after)
        .select(sql<boolean>`full_at <= ${this.#now()}`.as('is_full'))
        .execute();
      if (next.some((bucket) => bucket.is_full)) await this.#dropFull(after);
      yield;
      const last = next[BITE - 1];
      after = last && [last.workspace_id, last.holder_id, last.operation];
    }
  }

  async drop(workspaceId: string, holderIds: readonly string[]): Promise<void> {
    for (let from = 0; from < holderIds.length; from += BITE) {
      await this.#db
        .deleteFrom('rate_limits')
        .where('workspace_id', '=', workspaceId)
        .where('holder_id', 'in', holderIds.slice(from, from + BITE))
        .execute();
    }
  }

  async #dropFull(after: Place): Promise<void> {
    await this.#db
      .deleteFrom('rate_limits')
      .where(({ refTuple }) => sql<boolean>`${refTuple(...KEY)} in ${this.#next(after)}`)
      // A bucket that was used between the two looks at it is not full any more.
      .where('full_at', '<=', this.#now())
      .execute();
  }

  #next(after: Place) {
    // What the planner does not know can't mislead it: it looks at the first column alone, takes those after a place in a workspace
    // that has most of all buckets for few, and would sort them all.
    const place = sql`(select ${sql.join(after.map((value) => sql`${value}::text`))})`;
    return this.#db
      .selectFrom('rate_limits')
      .select(KEY)
      .where(({ refTuple }) => sql<boolean>`${refTuple(...KEY)} > ${place}`)
      .orderBy('workspace_id')
      .orderBy('holder_id')
      .orderBy('operation')
      .limit(BITE);
  }

  /** Milliseconds since 1970, UTC. */
  #now() {
    return this.#clock === undefined
      ? // Not `clock_timestamp()`, which is volatile: an engine that shards takes no such condition of a delete.
        sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
      : sql<number>`${this.#clock()}::bigint`;
  }
}

/** The next ones to be served together; all before them that nobody wants any more are refused. */
function takeWanted(waiting: Waiter[]): Waiter[] {
  const wanted: Waiter[] = [];
  let seen = 0;
  for (const waiter of waiting) {
    if (wanted.length === MOST_TOGETHER) break;
    seen += 1;
    if (waiter.isWanted()) wanted.push(waiter);
    else waiter.reject(new NotWanted('The client has gone.'));
  }
  waiting.splice(0, seen);
  return wanted;
}

/** A parameter has no type by itself, and sums of unknowns would be of none. */
function float(value: number) {
  return sql<number>`${value}::double precision`;
}

function wholeMs(milliseconds: ReturnType<typeof float> | ReturnType<typeof sql>) {
  return sql<number>`ceil(${milliseconds})::bigint`;
}
