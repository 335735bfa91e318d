import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairShare } from './fair-share.ts';

test('one holder, however much it asks for, leaves a tenth to others', () => {
  const share = new FairShare(100);
  let taken = 0;
  while (share.take('loud', 1)) taken += 1;
  expect(taken).toBe(90);
  for (let count = 0; count < 10; count += 1) expect(share.take('quiet', 1)).toBe(true);
  expect(share.take('quiet', 1)).toBe(false);
});

test('of a bound of few, one is left to others', () => {
  const share = new FairShare(4);
  expect([1, 2, 3, 4].map(() => share.take('loud', 1))).toEqual([true, true, true, false]);
  expect(share.take('quiet', 1)).toBe(true);
});

test('what is more than the bound is taken alone', () => {
  const share = new FairShare(10);
  expect(share.take('large', 50)).toBe(true);
  expect(share.take('small', 1)).toBe(false);
  share.give('large', 50);
  expect(share.take('small', 1)).toBe(true);
});

test('whatever is taken and given back, the bound holds and nothing is lost', () => {
  const step = fc.record({
    holder: fc.constantFrom('a', 'b', 'c'),
    weight: fc.integer({ min: 1, max: 20 }),
    give: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 200 }), fc.array(step, { maxLength: 200 }), (total, steps) => {
      const share = new FairShare(total);
      const held: { holder: string; weight: number }[] = [];
      for (const { give, ...one } of steps) {
        const back = give ? held.shift() : undefined;
        if (back !== undefined) share.give(back.holder, back.weight);
        else if (share.take(one.holder, one.weight)) held.push(one);
        const used = held.reduce((sum, { weight }) => sum + weight, 0);
        expect(share.used).toBe(used);
        expect(used).toBeLessThanOrEqual(total);
      }
      for (const { holder, weight } of held) share.give(holder, weight);
      expect(share.used).toBe(0);
    }),
  );
});
