import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentUse } from './recent-use.ts';

const uses = fc.array(
  fc.record({
    holder: fc.constantFrom('a', 'b', 'c'),
    amount: fc.integer({ min: 1, max: 100 }),
    pause: fc.integer({ min: 0, max: 20_000 }),
  }),
  { minLength: 1, maxLength: 100 },
);

it('orders holders by what they have used, e times less for each ten seconds since, however long it counts', () => {
  fc.assert(
    fc.property(uses, (all) => {
      const use = new RecentUse();
      let now = 0;
      const seen: { holder: string; amount: number; at: number }[] = [];
      for (const { holder, amount, pause } of all) {
        now += pause;
        use.add(holder, amount, now);
        seen.push({ holder, amount, at: now });
      }
      const left = (name: string) =>
        seen
          .filter(({ holder }) => holder === name)
          .reduce((sum, { amount, at }) => sum + amount * Math.exp((at - now) / 10_000), 0);
      for (const [one, other] of [['a', 'b'] as const, ['b', 'c'] as const, ['a', 'c'] as const]) {
        // What has faded away compares as nothing, and sums differ in their last digits.
        if (Math.abs(left(one) - left(other)) < 0.01) continue;
        expect(use.of(one) < use.of(other)).toBe(left(one) < left(other));
      }
    }),
  );
});
