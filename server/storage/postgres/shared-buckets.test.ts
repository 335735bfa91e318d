import fc from 'fast-check';
import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage } from '../open.ts';
import { NotWanted, workFor } from '../holder.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import { errorOf } from '../testing/error-of.ts';
import type { Storage } from '../storage.ts';
import { newDatabase, type TestDatabase } from '../testing/databases.ts';
import { TokenBuckets } from '../sqlite/token-buckets.ts';
import { SharedBuckets } from './shared-buckets.ts';
import { gatherStatistics, readPlans } from '../testing/query-plans.ts';
import { ofTest } from '../testing/statements-of-tests.ts';

let database: TestDatabase;
let instances: Storage[];

beforeEach(async () => {
  database = await newDatabase();
  instances = [await openStorage(database.location), await openStorage(database.location)];
});

afterEach(async () => {
  for (const storage of instances) await storage.close();
  await database.remove();
});

let names = 0;
const freshKey = () => ({ workspaceId: 'shop', holderId: 'ci', operation: `operation-${(names += 1)}` });

const countRows = async () =>
  (await instances.map(ofTest)[0]?.db.selectFrom('rate_limits').select('operation').execute())?.map(
    ({ operation }) => operation,
  );

const forget = (limiter: RateLimiter | undefined) => Array.fromAsync(limiter?.forget() ?? []);

describe('token buckets that instances share', () => {
  it('decide, whichever instance is asked, as those of one process do', async () => {
    const gap = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 30_000 }));
    const rate = fc.constantFrom(0.1, 1, 2.5, 20);
    const request = fc.record({ gap, rate, instance: fc.nat({ max: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
        let now = 1_800_000_000_000;
        const clock = () => now;
        const model = new TokenBuckets(clock);
        const limiters = instances.map((storage) => storage.rateLimiter(clock));
        const key = freshKey();
        for (const { gap, rate: perSecond, instance } of requests) {
          now += gap;
          expect(await limiters[instance]?.take(key, { perSecond })).toEqual(model.take(key, { perSecond }));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('count none of those whose client has gone while they waited', async () => {
    const [limiter] = instances.map((storage) => storage.rateLimiter(() => 1_800_000_000_000));
    const key = freshKey();
    let isWanted = true;
    const take = async () => limiter?.take(key, { perSecond: 20 });
    const first = take();
    const gone = Array.from({ length: 40 }, () => errorOf(workFor('shop', take, () => isWanted)));
    const last = take();
    isWanted = false;
    expect(await first).toMatchObject({ withinLimit: true, remaining: 19 });
    for (const error of await Promise.all(gone)) expect(error).toBeInstanceOf(NotWanted);
    expect(await last).toMatchObject({ withinLimit: true, remaining: 18 });
  });

  it('never let more through than the rate and one burst, however two instances interleave', async () => {
    const round = fc.record({ gap: fc.integer({ min: 0, max: 2_000 }), requests: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0.5, 1, 3),
        fc.array(round, { minLength: 1, maxLength: 6 }),
        async (perSecond, rounds) => {
          let now = 1_800_000_000_000;
          const limiters = instances.map((storage) => storage.rateLimiter(() => now));
          const key = freshKey();
          let through = 0;
          let elapsed = 0;
          for (const { gap, requests } of rounds) {
            now += gap;
            elapsed += gap;
            const decisions = await Promise.all(
              Array.from({ length: requests }, (_, i) => limiters[i % 2]?.take(key, { perSecond })),
            );
            through += decisions.filter((decision) => decision?.withinLimit).length;
          }
          expect(through).toBeLessThanOrEqual(
            Math.max(1, Math.floor(perSecond)) + (elapsed / 1_000) * perSecond + 1e-6,
          );
          expect(through).toBeGreaterThan(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('decide of requests that come together as if they came one after the other, a few to a statement', async () => {
    const [storage] = instances;
    if (storage === undefined) return;
    const clock = () => 1_800_000_000_000;
    const [key, rate] = [freshKey(), { perSecond: 3 }];
    let statements = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const limiter = new SharedBuckets(storage.db.withPlugin(counting), clock);
    const together = await Promise.all(Array.from({ length: 20 }, () => limiter.take(key, rate)));
    const model = new TokenBuckets(clock);
    expect(together).toEqual(together.map(() => model.take(key, rate)));
    expect(statements).toBe(3);
  });

  it('refuse together those whose statement fails, and serve those after them', async () => {
    const [storage] = instances;
    if (storage === undefined) return;
    const limiter = new SharedBuckets(storage.db);
    const key = { ...freshKey(), operation: 'nul \0' };
    const failed = await Promise.allSettled(Array.from({ length: 3 }, () => limiter.take(key, { perSecond: 3 })));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await limiter.take(freshKey(), { perSecond: 3 })).toMatchObject({ withinLimit: true });
  });

  it("go by the database's clock, unless told otherwise: those of the instances do not count", async () => {
    const key = freshKey();
    const began = performance.now();
    const limiters = instances.map((storage) => storage.rateLimiter());
    const decisions = await Promise.all(
      Array.from({ length: 100 }, (_, i) => limiters[i % 2]?.take(key, { perSecond: 5 })),
    );
    const seconds = (performance.now() - began) / 1_000;
    const through = decisions.filter((decision) => decision?.withinLimit).length;
    expect(through).toBeGreaterThanOrEqual(5);
    expect(through).toBeLessThanOrEqual(5 + seconds * 5);
  });

  it('let no more through than the lower rate where a server has a higher one', async () => {
    let now = 1_800_000_000_000;
    const [strict, loose] = instances.map((storage) => storage.rateLimiter(() => now));
    const key = freshKey();
    let through = 0;
    for (let round = 0; round < 60; round += 1) {
      now += 100;
      await loose?.take(key, { perSecond: 1_000 });
      if ((await strict?.take(key, { perSecond: 5 }))?.withinLimit === true) through += 1;
    }
    // A burst, and what six seconds allow.
    expect(through).toBeLessThanOrEqual(5 + 6 * 5);
    expect(await loose?.take(key, { perSecond: 1_000 })).toMatchObject({ withinLimit: true, remaining: 998 });
  });

  it('are not blocked for long by a clock that was set back', async () => {
    let now = 1_800_000_000_000;
    const limiter = instances[0]?.rateLimiter(() => now);
    const key = freshKey();
    await limiter?.take(key, { perSecond: 1 });
    now -= 3_600_000;
    expect(await limiter?.take(key, { perSecond: 1 })).toMatchObject({ withinLimit: false });
    now += 1_000;
    expect(await limiter?.take(key, { perSecond: 1 })).toMatchObject({ withinLimit: true });
  });

  it('are forgotten once they are full, and not before', async () => {
    let now = 1_800_000_000_000;
    const limiter = instances[0]?.rateLimiter(() => now);
    const [slow, fast] = [freshKey(), freshKey()];
    await limiter?.take(slow, { perSecond: 0.1 });
    await limiter?.take(fast, { perSecond: 1 });
    now += 5_000;
    await forget(limiter);
    expect(await countRows()).toEqual([expect.stringContaining(slow.operation)]);
    expect(await limiter?.take(slow, { perSecond: 0.1 })).toMatchObject({ withinLimit: false, resetSeconds: 5 });
    now += 10_000;
    await forget(limiter);
    expect(await countRows()).toEqual([]);
  });

  /** As many buckets of as many workspaces, of which all that `fullAt` puts before `NOW` are full. */
  const NOW = 1_800_000_000_000;
  const fill = async (storage: Storage, count: number, fullAt: string) => {
    await sql`insert into rate_limits
      select case when n % 2 = 0 then 'shop' else 'shop-' || n % 500 end, 'holder', 'operation-' || n, 0, 1, 0, ${sql.raw(fullAt)} from generate_series(1, ${sql.lit(count)}) as n
      /* a test */`.execute(ofTest(storage).db);
    await gatherStatistics(storage, 'rate_limits');
  };

  it('are looked through in steps that read no more than so many, however many are not full', async () => {
    const [storage] = instances;
    if (storage === undefined) return;
    await fill(storage, 50_000, String(NOW + 1));
    const plans = await readPlans(storage, (db) => Array.fromAsync(new SharedBuckets(db, () => NOW).forget()));
    expect(plans).toHaveLength(51);
    expect(plans.filter(({ readsAll }) => readsAll)).toEqual([]);
    expect(plans.filter(({ rowsRead = 0 }) => rowsRead > 1_000)).toEqual([]);
  });

  it('are forgotten wherever they are among others', async () => {
    const [storage] = instances;
    if (storage === undefined) return;
    await fill(storage, 3_500, `${NOW} + n % 7`);
    await forget(storage.rateLimiter(() => NOW + 2));
    expect(await countRows()).toHaveLength(2_000);
    await forget(storage.rateLimiter(() => NOW + 6));
    expect(await countRows()).toEqual([]);
  });
});
