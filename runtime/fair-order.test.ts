import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FairOrder } from './fair-order.ts';

const chooseNext = (order: FairOrder, waiting: readonly string[]): string => order.first(waiting) ?? '';

it('has those who ask for all they can get the same amount each, however much they take at a time', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 10 });
  fc.assert(
    fc.property(amounts, (sizes) => {
      const order = new FairOrder();
      const holders = sizes.map((size, index) => ({ name: `holder ${index}`, size, had: 0 }));
      for (let turn = 0; turn < 1_000; turn += 1) {
        const name = chooseNext(
          order,
          holders.map((holder) => holder.name),
        );
        const holder = holders.find((one) => one.name === name);
        if (holder === undefined) continue;
        order.end(name, order.begin(name), holder.size);
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
      const order = new FairOrder();
      for (let use = 0; use < usedBefore; use += 1) order.end('modest', order.begin('modest'), 7);
      const names = Array.from({ length: others }, (_, index) => `loud ${index}`);
      const take = (name: string, amount: number) => order.end(name, order.begin(name), amount);
      // Each of them once, since all of them come anew.
      for (let turn = 0; turn <= others; turn += 1) take(chooseNext(order, names), 20);
      for (let round = 0; round < 10; round += 1) {
        expect(chooseNext(order, [...names, 'modest'])).toBe('modest');
        take('modest', 7);
        for (let turn = 0; turn <= 2 * others; turn += 1) take(chooseNext(order, names), 20);
      }
    }),
  );
});

it('puts nobody off for long after one use that took very long', () => {
  const order = new FairOrder();
  order.end('slow', order.begin('slow'), 3_600_000);
  let turns = 0;
  for (; chooseNext(order, ['quick', 'slow']) === 'quick' && turns < 1_000; turns += 1)
    order.end('quick', order.begin('quick'), 10);
  expect(turns).toBeLessThanOrEqual(101);
});

it('keeps its order when it has forgotten holders', () => {
  const order = new FairOrder();
  order.end('loud', order.begin('loud'), 50);
  for (let index = 0; index < 3_000; index += 1) order.end(`once ${index}`, order.begin(`once ${index}`), 1);
  expect(chooseNext(order, ['loud', 'new'])).toBe('new');
});

it('has whoever used less come first of those that come back after a pause', () => {
  const order = new FairOrder();
  for (const [name, amount] of [
    ['loud', 8],
    ['modest', 1],
    ['other', 1_000],
  ] as const)
    order.end(name, order.begin(name), amount);
  for (let turn = 0; turn < 3; turn += 1) order.end('other', order.begin('other'), 1);
  expect(order.startOf('loud')).toBe(order.startOf('modest'));
  expect(chooseNext(order, ['loud', 'modest'])).toBe('modest');
});
