import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FairMemory } from './fair-memory.ts';

const MOST = 6;

const calls = fc.array(
  fc.record({
    what: fc.constantFrom('remember' as const, 'remember' as const, 'find' as const, 'forget' as const),
    holder: fc.constantFrom('a', 'b', 'c'),
    key: fc.nat({ max: 9 }),
  }),
  { maxLength: 60 },
);

it('forgets of the holder that has the most what it has not used for longest', () => {
  fc.assert(
    fc.property(calls, (all) => {
      const memory = new FairMemory(MOST);
      /** Key and holder, in the order in which they were used. */
      let known: [string, string][] = [];
      for (const { what, holder, key: number } of all) {
        // A key is of one holder, or of another after it: that of 9 is of any.
        const key = number === 9 ? '9' : `${holder}${number}`;
        const was = known.find(([one]) => one === key);
        if (what === 'find') expect(memory.find(key)).toBe(was?.[1]);
        if (what === 'forget') memory.forget(key);
        if (what === 'remember') memory.remember(key, holder);
        known = known.filter((one) => one !== was);
        if (what === 'find' && was !== undefined) known.push(was);
        if (what === 'remember') known.push([key, holder]);
        // To look is to use: in this order nothing comes before another that did not.
        const left = known.filter(([one]) => memory.find(one) !== undefined);
        const [gone, ...others] = known.filter((one) => !left.includes(one));
        expect([left.length, others]).toEqual([Math.min(known.length, MOST), []]);
        if (gone !== undefined) {
          const count = (name: string) => known.filter(([, of]) => of === name).length;
          expect(count(gone[1])).toBe(Math.max(...['a', 'b', 'c'].map(count)));
          expect(known.find(([, of]) => of === gone[1])).toBe(gone);
        }
        known = left;
      }
    }),
  );
});

it('has holders with one key each forget that of the one which has used it least lately', () => {
  const memory = new FairMemory(3);
  for (const name of ['a', 'b', 'c']) memory.remember(name, name);
  memory.find('a');
  memory.remember('d', 'd');
  expect(['a', 'b', 'c', 'd'].map((key) => memory.find(key))).toEqual(['a', undefined, 'c', 'd']);
});
