import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyValue, type Json, withValueAt } from '@branchline/contract';
import { compact, makeBodyPatch } from './body-patch.ts';

const long = fc
  .record({
    before: fc.string({ unit: 'binary' }),
    repeat: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    times: fc.nat({ max: 90 }),
    after: fc.string(),
  })
  .map(({ before, repeat, times, after }) => before + repeat.repeat(times) + after);
const repeated = fc
  .record({ item: fc.jsonValue(), times: fc.nat({ max: 12 }) })
  .map(({ item, times }) => Array.from({ length: times }, () => item));

test('a patch makes the value that it was written for', () => {
  const base: Json = { name: 'lamp', tags: ['a'] };
  fc.assert(
    fc.property(
      fc.oneof(long, repeated, fc.jsonValue(), fc.constant(undefined)),
      fc.constantFrom(['name'], ['tags', '0'], ['new/one']),
      (value, at) => {
        const put = value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
        expect(bodyValue(makeBodyPatch('lamp', { at, put }), { lamp: base })).toEqual(withValueAt(base, at, put));
      },
    ),
  );
});

describe('the case file stays small', () => {
  test.each([
    { put: 'x'.repeat(5000), want: { repeat: 'x', times: 5000, before: '', after: '' } },
    { put: `https://${'😀'.repeat(300)}/`, want: { repeat: '😀', times: 300, before: 'https://', after: '/' } },
    { put: Array.from({ length: 1001 }, () => ({ a: 1 })), want: { repeatItem: { a: 1 }, times: 1001 } },
    { put: 'short', want: { value: 'short' } },
    { put: ['a', 'a', 'b', 'a'], want: { value: ['a', 'a', 'b', 'a'] } },
    { put: undefined, want: { absent: true } },
  ])('for $want', ({ put, want }) => {
    expect(compact(put)).toEqual(want);
  });
});
