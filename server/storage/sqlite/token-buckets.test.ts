import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BucketMemory, TokenBuckets } from './token-buckets.ts';

function bucketsAt(start: number) {
  let now = start;
  return { buckets: new TokenBuckets(() => now), advance: (ms: number) => (now += ms) };
}

const key = (operation: string) => ({ workspaceId: 'shop', holderId: 'ci', operation });

describe('a token bucket', () => {
  it('lets one request a second through, and says when the next may come', () => {
    const { buckets, advance } = bucketsAt(1_000_000);
    const rate = { perSecond: 1 };
    expect(buckets.take(key('a'), rate)).toEqual({ withinLimit: true, remaining: 0, resetSeconds: 1 });
    advance(400);
    expect(buckets.take(key('a'), rate)).toEqual({ withinLimit: false, remaining: 0, resetSeconds: 1 });
    advance(600);
    expect(buckets.take(key('a'), rate).withinLimit).toBe(true);
  });

  it('keeps keys apart', () => {
    const { buckets } = bucketsAt(0);
    buckets.take(key('a'), { perSecond: 1 });
    expect(buckets.take(key('b'), { perSecond: 1 }).withinLimit).toBe(true);
  });

  it('waits long enough at a slow rate', () => {
    const { buckets } = bucketsAt(0);
    buckets.take(key('a'), { perSecond: 0.1 });
    expect(buckets.take(key('a'), { perSecond: 0.1 })).toEqual({ withinLimit: false, remaining: 0, resetSeconds: 10 });
  });

  it('takes no tokens away when the clock is set back', () => {
    const { buckets, advance } = bucketsAt(10_000_000);
    buckets.take(key('a'), { perSecond: 2 });
    advance(-9_000_000);
    expect(buckets.take(key('a'), { perSecond: 2 }).withinLimit).toBe(true);
  });

  it('is forgotten once it is full, in short steps', async () => {
    const memory: BucketMemory = new Map();
    let now = 0;
    const buckets = new TokenBuckets(() => now, memory);
    for (let at = 0; at < 2_500; at += 1)
      buckets.take({ ...key('a'), holderId: `holder-${at}` }, { perSecond: at % 2 === 0 ? 1 : 0.1 });
    now = 5_000;
    const left: number[] = [];
    for await (const _ of buckets.forget()) left.push(memory.size);
    expect([...left, memory.size]).toEqual([2_000, 1_500, 1_250]);
    now = 10_000;
    await Array.fromAsync(buckets.forget());
    expect(memory.size).toBe(0);
  });

  it('is forgotten in passing, so that a flood of new ones keeps no more than twice as many as are not full', () => {
    const memory: BucketMemory = new Map();
    let now = 0;
    const buckets = new TokenBuckets(() => now, memory);
    let most = 0;
    for (let at = 0; at < 20_000; at += 1) {
      now += 1;
      buckets.take({ ...key('a'), holderId: `holder-${at}` }, { perSecond: 1 });
      most = Math.max(most, memory.size);
    }
    expect(most).toBeGreaterThanOrEqual(1_000);
    expect(most).toBeLessThanOrEqual(2_010);
  });

  it('never lets more through than the rate and one burst, however requests come, also when full ones are forgotten', async () => {
    const gap = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 90_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0.001, 0.1, 1, 3, 20),
        fc.array(gap, { maxLength: 200 }),
        async (perSecond, gaps) => {
          const { buckets, advance } = bucketsAt(0);
          let through = 0;
          let elapsed = 0;
          for (const gap of gaps) {
            elapsed += gap;
            advance(gap);
            await Array.fromAsync(buckets.forget());
            if (buckets.take(key('a'), { perSecond }).withinLimit) through += 1;
          }
          expect(through).toBeLessThanOrEqual(Math.max(1, perSecond) + (elapsed / 1_000) * perSecond + 1e-6);
        },
      ),
    );
  });
});
