import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairShare, type GiveBack } from './fair-share.ts';

describe('a fair share', () => {
  const flood = (share: FairShare, holder: string) => {
    const taken: GiveBack[] = [];
    for (let one = share.tryTake(holder); one !== undefined; one = share.tryTake(holder)) taken.push(one);
    return taken.length;
  };

  it('leaves half of what is left, whoever takes all they can and gives nothing back', () => {
    const share = new FairShare({ total: 24 });
    expect(['first', 'second', 'third', 'fourth'].map((holder) => flood(share, holder))).toEqual([12, 6, 3, 1]);
    expect(share.tryTake('late')).toBeDefined();
  });

  it('has room for one more while fewer take all they can than the total can be halved', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (total) => {
        const share = new FairShare({ total });
        for (let n = 0; n < Math.floor(Math.log2(total)); n += 1) flood(share, `flood-${n}`);
        expect(share.tryTake('late')).toBeDefined();
      }),
    );
  });

  it('keeps as little as it is told', () => {
    const share = new FairShare({ total: 10, kept: 1 });
    expect(['first', 'second', 'late'].map((holder) => flood(share, holder))).toEqual([9, 1, 0]);
  });

  it('gives to who has nothing what is heavier than a part, where that is left', () => {
    const share = new FairShare({ total: 10 });
    for (let n = 0; n < 4; n += 1) expect(share.tryTake(`modest-${n}`)).toBeDefined();
    expect(share.tryTake('heavy', 7)).toBeUndefined();
    expect(share.tryTake('heavy', 6)).toBeDefined();
  });

  it('may be the only one there is', () => {
    const share = new FairShare({ total: 1 });
    expect(share.tryTake('a')).toBeDefined();
    expect(share.tryTake('a')).toBeUndefined();
  });

  it('gives one holder all that it may have again once given back', () => {
    const share = new FairShare({ total: 100 });
    const half = share.tryTake('a', 50);
    expect(share.tryTake('a')).toBeUndefined();
    half?.();
    half?.();
    expect(share.tryTake('a', 50)).toBeDefined();
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
        const held: { holder: string; weight: number; giveBack: GiveBack }[] = [];
        const sum = (some: typeof held) => some.reduce((all, { weight }) => all + weight, 0);
        for (const { holder, weight, back } of all) {
          const own = sum(held.filter((one) => one.holder === holder));
          const giveBack = share.tryTake(holder, weight);
          if (giveBack !== undefined) held.push({ holder, weight, giveBack });
          expect(sum(held)).toBeLessThanOrEqual(total);
          if (giveBack !== undefined && own > 0) expect(own + weight).toBeLessThanOrEqual(total - sum(held));
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
    const { admitted, back, wait } = start(2, 100);
    for (const name of ['loud:0', 'other:0', 'loud:1', 'loud:2', 'quiet:1']) void wait(name);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toEqual(['loud:0', 'other:0']);
    back['loud:0']?.();
    await vi.advanceTimersByTimeAsync(0);
    back['quiet:1']?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted.slice(2)).toEqual(['quiet:1', 'loud:1']);
  });

  it('ends first for who has held least', async () => {
    let now = 0;
    const share = new FairShare({ total: 1, now: () => now });
    const admitted: string[] = [];
    const hold = async (holder: string, milliseconds: number) => {
      const giveBack = await share.take(holder, { waitMs: 1_000 });
      admitted.push(holder);
      now += milliseconds;
      giveBack?.();
    };
    const holders = Array.from({ length: 30 }, (_, index) => `loud ${index}`);
    await Promise.all([...holders, ...holders, 'quiet'].map((holder) => hold(holder, holder === 'quiet' ? 2 : 20)));
    admitted.length = 0;
    await Promise.all([...holders, 'quiet', 'new'].map((holder) => hold(holder, 20)));
    // The first one found it free.
    expect(admitted.slice(1, 3).toSorted()).toEqual(['new', 'quiet']);
    expect(new Set(admitted.slice(3))).toEqual(new Set(holders.filter((holder) => holder !== admitted[0])));
  });

  it('is not for who has nothing, where another has taken all it may', async () => {
    const { admitted, wait } = start(10);
    for (let count = 0; count < 20; count += 1) void wait(`loud:${count}`);
    void wait('quiet:1');
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted.filter((name) => name.startsWith('loud'))).toHaveLength(5);
    expect(admitted).toContain('quiet:1');
  });

  it.for([
    [2, 0],
    [5, 0],
    [7, 0],
    [8, 9],
    [50, 51],
  ] as const)(
    'while %i flood all they can, one more has it once the others had their turns, after so many were given back: %i',
    async ([holders, most]) => {
      const { admitted, back, wait } = start(8, 1_000_000);
      for (let n = 0; n < holders; n += 1) {
        for (let count = 0; count < 20; count += 1) void wait(`loud-${n}:${count}`);
      }
      await vi.advanceTimersByTimeAsync(0);
      let ended = 0;
      const endOne = async () => {
        back[admitted[ended] ?? '']?.();
        ended += 1;
        await vi.advanceTimersByTimeAsync(0);
      };
      // Whoever came first has more, until that has come to its end once.
      for (let n = 0; n < 8; n += 1) await endOne();
      void wait('quiet:1');
      await vi.advanceTimersByTimeAsync(0);
      const before = ended;
      while (!admitted.includes('quiet:1')) await endOne();
      expect(ended - before).toBeLessThanOrEqual(most);
    },
  );

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
