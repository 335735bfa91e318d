import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FairOrder } from './fair-order.ts';

/** An order by a clock that goes on as something is used, and while nothing is. */
function startOrder() {
  const order = new FairOrder();
  let now = 0;
  const use = (holder: string, amount: number, isAwaited = true): void => {
    const begun = order.begin(holder, now);
    now += amount;
    order.end(begun, now, isAwaited);
  };
  return { order, use, pass: (milliseconds: number) => void (now += milliseconds) };
}

const chooseNext = (order: FairOrder, waiting: readonly string[]): string => order.first(waiting) ?? '';

it('has those who ask for all they can get the same amount each, however much they take at a time', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 10 });
  fc.assert(
    fc.property(amounts, (sizes) => {
      const { order, use } = startOrder();
      const holders = sizes.map((size, index) => ({ name: `holder ${index}`, size, had: 0 }));
      for (let turn = 0; turn < 1_000; turn += 1) {
        const name = chooseNext(
          order,
          holders.map((holder) => holder.name),
        );
        const holder = holders.find((one) => one.name === name);
        if (holder === undefined) continue;
        use(name, holder.size);
        holder.had += holder.size;
      }
      const had = holders.map((holder) => holder.had);
      expect(Math.max(...had) - Math.min(...had)).toBeLessThanOrEqual(2 * Math.max(...sizes));
    }),
  );
});

it('has one that asks now and then come next, whatever it and the others have used before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 500 }), (others, usedBefore) => {
      const { order, use } = startOrder();
      for (let used = 0; used < usedBefore; used += 1) use('modest', 7);
      const names = Array.from({ length: others }, (_, index) => `loud ${index}`);
      // Each of them once, since all of them come anew.
      for (let turn = 0; turn <= others; turn += 1) use(chooseNext(order, names), 20);
      for (let round = 0; round < 10; round += 1) {
        expect(chooseNext(order, [...names, 'modest'])).toBe('modest');
        use('modest', 7);
        for (let turn = 0; turn <= 2 * others; turn += 1) use(chooseNext(order, names), 20);
      }
    }),
  );
});

it('puts nobody off for long after one use that took very long', () => {
  const { order, use } = startOrder();
  use('slow', 3_600_000);
  let turns = 0;
  for (; chooseNext(order, ['quick', 'slow']) === 'quick' && turns < 1_000; turns += 1) use('quick', 10);
  expect(turns).toBeLessThanOrEqual(101);
});

it('keeps its order when it has forgotten holders', () => {
  const { order, use } = startOrder();
  use('loud', 50);
  for (let index = 0; index < 3_000; index += 1) use(`once ${index}`, 1);
  expect(chooseNext(order, ['loud', 'new'])).toBe('new');
});

it('has whoever used less come first of those that come back after a pause', () => {
  const { order, use } = startOrder();
  for (const [name, amount] of [
    ['loud', 8],
    ['modest', 1],
    ['other', 1_000],
  ] as const)
    use(name, amount);
  for (let turn = 0; turn < 3; turn += 1) use('other', 1);
  expect(order.startOf('loud')).toBe(order.startOf('modest'));
  expect(chooseNext(order, ['loud', 'modest'])).toBe('modest');
});

it('has one that was served alone wait for one piece of each that comes anew, and from then on for one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 9 }), (others, piece) => {
      const { order, use, pass } = startOrder();
      for (let used = 0; used < 100; used += 1) {
        use('modest', 1, false);
        pass(19);
      }
      const names = Array.from({ length: others }, (_, index) => `new ${index}`);
      let waited = 0;
      for (; chooseNext(order, [...names, 'modest']) !== 'modest'; waited += 1) use(chooseNext(order, names), piece);
      expect(waited).toBeLessThanOrEqual(others);
    }),
  );
});

it('has one that uses little wait for two pieces of the many that come anew at most, whatever it used before', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 100 }),
      fc.integer({ min: 20, max: 1_000 }),
      fc.integer({ min: 11, max: 1_000 }),
      (others, piece, pause) => {
        const { order, use, pass } = startOrder();
        for (let used = 0; used < 10; used += 1) {
          use('modest', 5, false);
          pass(pause);
        }
        const names = Array.from({ length: others }, (_, index) => `new ${index}`);
        let waited = 0;
        for (let left = names; chooseNext(order, [...left, 'modest']) !== 'modest'; waited += 1) {
          const next = chooseNext(order, left);
          use(next, piece);
          left = left.filter((name) => name !== next);
        }
        expect(waited).toBeLessThanOrEqual(2);
      },
    ),
  );
});

it('has one that uses much wait for a bounded number of uses of those who use little', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 9 }), (others, piece) => {
      const { order, use } = startOrder();
      use('large', 1_000);
      for (let used = 0; used < 1_010; used += piece) use('other', piece);
      const names = Array.from({ length: others }, (_, index) => `little ${index}`);
      for (const name of names) use(name, piece);
      let waited = 0;
      // Twice the credit of each, and one more.
      const most = others * (Math.ceil(20 / piece) + 1);
      for (; waited <= most && chooseNext(order, [...names, 'large']) !== 'large'; waited += 1)
        use(chooseNext(order, names), piece);
      expect(waited).toBeLessThanOrEqual(most);
    }),
  );
});

it('counts as idle what is not in use, and only while nobody waits for it', () => {
  const { order, use, pass } = startOrder();
  use('first', 100, false);
  pass(50);
  const half = order.begin('half', 150, 0.5);
  expect(order.startOf('new')).toBe(order.startOf('half'));
  const before = order.startOf('new');
  pass(20);
  order.end(half, 170, true);
  expect(order.startOf('new') - before).toBe(10);
  pass(1_000);
  use('second', 1);
  expect(order.startOf('new') - before).toBe(10);
});

it('puts whoever has used something else behind others, but no further than it is told', () => {
  const { order, use } = startOrder();
  use('other', 1);
  order.postpone('busy', 2, 5);
  expect(order.startOf('busy') - order.startOf('other')).toBeGreaterThan(0);
  order.postpone('busy', 1_000, 5);
  const had = (name: string) => {
    let uses = 0;
    while (chooseNext(order, ['busy', name]) === name) {
      use(name, 1);
      uses += 1;
    }
    return uses;
  };
  // The others' credit comes on top.
  expect(had('other')).toBeLessThanOrEqual(5 + 10);
});
