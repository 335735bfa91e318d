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
    for (let n = 0; n < 10; n += 1) expect(share.tryTake(`modest-${n}`), `modest-${n}`).toBeDefined();
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
          const had = held.some((one) => one.holder === holder);
          const giveBack = share.tryTake(holder, weight);
          if (giveBack !== undefined) held.push({ holder, weight, giveBack });
          expect(sum(held)).toBeLessThanOrEqual(total);
          if (had && giveBack !== undefined) expect(before + weight).toBeLessThanOrEqual(total - kept);
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

  it('ends when something is given back, first for the holder that has the least', async () => {
    const share = new FairShare({ total: 3 });
    const [first, second] = [share.tryTake('greedy'), share.tryTake('greedy')];
    const other = share.tryTake('other');
    const admitted: string[] = [];
    const wait = (holder: string) =>
      share.take(holder, { waitMs: 1_000 }).then((taken) => taken !== undefined && admitted.push(holder));
    const waiting = [wait('greedy'), wait('greedy'), wait('modest')];
    first?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toEqual(['modest']);
    other?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted, 'the last one is kept').toEqual(['modest']);
    second?.();
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(waiting);
    expect(admitted).toEqual(['modest', 'greedy']);
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
