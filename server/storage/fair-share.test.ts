import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairShare, type GiveBack } from './fair-share.ts';

describe('a fair share', () => {
  it('keeps the last one of few for a holder that has nothing', () => {
    const share = new FairShare({ total: 4 });
    const taken = Array.from({ length: 5 }, () => share.tryTake('greedy'));
    expect(taken.map((one) => one !== undefined)).toEqual([true, true, true, false, false]);
    expect(share.tryTake('modest')).toBeDefined();
    expect(share.tryTake('late')).toBeUndefined();
  });

  it('keeps a tenth of many', () => {
    const share = new FairShare({ total: 100 });
    expect(share.tryTake('greedy', 90)).toBeDefined();
    expect(share.tryTake('greedy')).toBeUndefined();
    for (let n = 0; n < 10; n += 1) expect(share.tryTake('modest')).toBeDefined();
    expect(share.tryTake('late')).toBeUndefined();
  });

  it('may be the only one there is', () => {
    const share = new FairShare({ total: 1 });
    expect(share.tryTake('a')).toBeDefined();
    expect(share.tryTake('a')).toBeUndefined();
  });

  it('gives one holder no more than its bound, and all of it again once given back', () => {
    const share = new FairShare({ total: 100, perHolder: 50 });
    const half = share.tryTake('a', 50);
    expect(share.tryTake('a')).toBeUndefined();
    half?.();
    half?.();
    expect(share.tryTake('a', 50)).toBeDefined();
    expect(share.tryTake('b', 40)).toBeDefined();
    expect(share.tryTake('b')).toBeUndefined();
  });

  it('never gives out more than there is, and in the end has all of it again', () => {
    const steps = fc.array(
      fc.record({
        holder: fc.constantFrom('a', 'b', 'c', 'd'),
        weight: fc.integer({ min: 1, max: 5 }),
        back: fc.nat(),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), steps, (total, all) => {
        const share = new FairShare({ total });
        const kept = Math.max(1, Math.floor(total / 10));
        const held: { holder: string; weight: number; giveBack: GiveBack }[] = [];
        const sum = (some: typeof held) => some.reduce((all, { weight }) => all + weight, 0);
        for (const { holder, weight, back } of all) {
          const before = sum(held);
          const giveBack = share.tryTake(holder, weight);
          if (giveBack !== undefined) held.push({ holder, weight, giveBack });
          expect(sum(held)).toBeLessThanOrEqual(total);
          if (giveBack !== undefined && before + weight > total - kept) {
            expect(sum(held.filter((one) => one.holder === holder))).toBeLessThanOrEqual(kept);
          }
          if (back % 3 === 0) held.splice(back % (held.length + 1), 1)[0]?.giveBack();
        }
        for (const { giveBack } of held) giveBack();
        for (let n = 0; n < total; n += 1) expect(share.tryTake(`new-${n}`)).toBeDefined();
      }),
    );
  });
});

describe('waiting for it', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = (total: number, mostWaiting?: number) => {
    const share = new FairShare({ total, ...(mostWaiting !== undefined && { mostWaiting }) });
    const admitted: string[] = [];
    const back: Record<string, GiveBack | undefined> = {};
    const wait = async (name: string, weight = 1) => {
      back[name] = await share.take(name.split(':', 1)[0] ?? '', { weight, waitMs: 1_000 });
      if (back[name] !== undefined) admitted.push(name);
      return back[name];
    };
    return { admitted, back, wait };
  };

  it('ends when something is given back, for one holder after the other', async () => {
    const { admitted, back, wait } = start(2);
    for (const name of ['loud:0', 'other:0', 'loud:1', 'loud:2', 'quiet:1']) void wait(name);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toEqual(['loud:0', 'other:0']);
    back['loud:0']?.();
    await vi.advanceTimersByTimeAsync(0);
    back['loud:1']?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted.slice(2)).toEqual(['loud:1', 'quiet:1']);
  });

  it('is not for who has nothing, where another has taken all it may', async () => {
    const { admitted, wait } = start(10);
    for (let count = 0; count < 20; count += 1) void wait(`loud:${count}`);
    void wait('quiet:1');
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted.filter((name) => name.startsWith('loud'))).toHaveLength(9);
    expect(admitted).toContain('quiet:1');
  });

  it('is refused at once where too many wait already', async () => {
    const { wait } = start(2, 2);
    void wait('shop:1');
    void wait('shop:2');
    expect(await wait('shop:3')).toBeUndefined();
  });

  it('ends for everybody, whoever gives back in whatever order', async () => {
    const request = fc.record({ holder: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 5 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (requests, choices) => {
        const share = new FairShare({ total: 20 });
        const inside: GiveBack[] = [];
        let admitted = 0;
        for (const { holder, weight } of requests) {
          void share.take(holder, { weight, waitMs: 1_000_000 }).then((giveBack) => {
            admitted += 1;
            if (giveBack !== undefined) inside.push(giveBack);
          });
        }
        await vi.advanceTimersByTimeAsync(0);
        while (inside.length > 0) {
          inside.splice((choices.next().value ?? 0) % inside.length, 1)[0]?.();
          await vi.advanceTimersByTimeAsync(0);
        }
        expect([admitted, share.used]).toEqual([requests.length, 0]);
      }),
    );
  });

  it('ends without it when the time is over, and takes nothing later', async () => {
    const share = new FairShare({ total: 2 });
    const first = share.tryTake('a');
    const waiting = share.take('a', { waitMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toBeUndefined();
    first?.();
    expect(share.tryTake('a')).toBeDefined();
    expect(vi.getTimerCount()).toBe(0);
  });
});
