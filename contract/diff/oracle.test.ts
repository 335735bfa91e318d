import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from './levels.ts';
import { anySchema, anyValue, schemaPair } from './testing/random-schemas.ts';
import { compile, describeOnly, findChanges, isSound, type Version } from './testing/oracle.ts';

// What Ajv says of values is what rules are measured by: DIFF_RUNS=20000 npx vitest run --project sqlite contract/diff/oracle.test.ts
const numRuns = Number(process.env['DIFF_RUNS'] ?? 200);
/** In the suite the same are tried in each run. */
const options = process.env['DIFF_RUNS'] === undefined ? { numRuns, seed: 1 } : { numRuns };

const components = fc.record({ One: anySchema, Other: anySchema });
const versions = fc
  .tuple(schemaPair, components, schemaPair, fc.boolean())
  .map(([[before, after], rest, [one, other], isDeep]): [Version, Version] => [
    { schema: before, components: isDeep ? { ...rest, One: one } : rest },
    { schema: after, components: isDeep ? { ...rest, One: other } : rest },
  ])
  .filter((pair) => pair.every(isSound));
const values = fc.array(anyValue, { minLength: 30, maxLength: 30 });

describe.each<[Direction, string]>([
  ['request', 'a value that fitted and does not any more is told of'],
  ['response', 'a value that did not fit and does now is told of'],
])('in a %s', (direction, title) => {
  it(title, () => {
    fc.assert(
      fc.property(versions, values, ([old, after], tried) => {
        // What nobody described is not what a contract tells of.
        const [kept, judged] = direction === 'request' ? [old, after] : [after, old];
        const [isAllowed, isDescribed, isStillAllowed] = [compile(kept), compile(describeOnly(kept)), compile(judged)];
        fc.pre(isAllowed !== undefined && isDescribed !== undefined && isStillAllowed !== undefined);
        const lost = tried.find((value) => isAllowed(value) && isDescribed(value) && !isStillAllowed(value));
        fc.pre(lost !== undefined);
        const breaking = findChanges(old, after, direction).filter(({ effect }) =>
          [direction === 'request' ? 'narrows' : 'widens', 'replaces', 'unsure'].includes(effect),
        );
        expect(breaking, JSON.stringify({ lost, old, after })).not.toEqual([]);
      }),
      { ...options, maxSkipsPerRun: 1_000 },
    );
  });
});

it('nothing has changed from a schema to itself', () => {
  fc.assert(
    fc.property(anySchema, components, (schema, rest) => {
      const version = { schema, components: rest };
      fc.pre(isSound(version));
      for (const direction of ['request', 'response'] as const) {
        expect(findChanges(version, version, direction)).toEqual([]);
      }
    }),
    options,
  );
});

it('what one way narrows, the way back widens', () => {
  fc.assert(
    fc.property(versions, ([old, after]) => {
      const there = findChanges(old, after, 'request').map(({ effect }) => effect);
      const back = findChanges(after, old, 'request').map(({ effect }) => effect);
      expect(back.some((effect) => effect !== 'none') || !there.includes('narrows')).toBe(true);
    }),
    options,
  );
});
