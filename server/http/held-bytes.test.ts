import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeldBytes, STEP } from './held-bytes.ts';

const steps = fc.array(
  fc.record({
    holder: fc.constantFrom('a', 'b', 'c'),
    item: fc.nat(9),
    bytes: fc.option(fc.nat(5 * STEP), { nil: undefined }),
  }),
);

it('are those that were added and not removed, of the holder that had the first of an item, the oldest first', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const held = new HeldBytes<number>();
      const expected = new Map<number, { holder: string; bytes: number }>();
      for (const { holder, item, bytes } of taken) {
        const known = expected.get(item);
        if (bytes === undefined) {
          held.remove(item);
          expected.delete(item);
        } else {
          held.add(holder, item, bytes);
          expected.set(item, { holder: known?.holder ?? holder, bytes: (known?.bytes ?? 0) + bytes });
        }
        const sum = (of?: string) =>
          [...expected.values()].reduce((all, one) => all + (of === undefined || of === one.holder ? one.bytes : 0), 0);
        expect(held.total).toBe(sum());
        for (const name of ['a', 'b', 'c']) {
          expect(held.of(name)).toBe(sum(name));
          expect(held.findOldestOf(name)).toBe([...expected].find(([, one]) => one.holder === name)?.[0]);
        }
        const most = Math.max(sum('a'), sum('b'), sum('c'));
        expect(most - held.of(held.findLargest())).toBeLessThan(STEP);
        expect(held.findLargest() === '').toBe(expected.size === 0);
      }
    }),
  );
});
