import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, valueAtPath, withValueAt } from './json.ts';
import { fromPointer, toPointer } from './pointers.ts';

test('a path survives being written as a JSON pointer', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (path) => {
      expect(fromPointer(toPointer(path))).toEqual(path);
    }),
  );
});

describe('withValueAt', () => {
  const rows: { given: Json; path: string[]; put: Json | undefined; want: Json | undefined }[] = [
    { given: { a: 1 }, path: ['a'], put: 2, want: { a: 2 } },
    { given: { a: 1 }, path: ['b'], put: 2, want: { a: 1, b: 2 } },
    { given: { a: 1, b: 2 }, path: ['a'], put: undefined, want: { b: 2 } },
    { given: [1, 2], path: ['0'], put: 9, want: [9, 2] },
    { given: [1, 2], path: ['2'], put: 3, want: [1, 2, 3] },
    { given: [1, 2], path: ['0'], put: undefined, want: [2] },
    { given: { a: [{ b: 1 }] }, path: ['a', '0', 'b'], put: null, want: { a: [{ b: null }] } },
    { given: { a: 1 }, path: [], put: [], want: [] },
    { given: { a: 1 }, path: [], put: undefined, want: undefined },
  ];

  test.each(rows)('$given at $path becomes $want', ({ given, path, put, want }) => {
    const before = structuredClone(given);
    expect(withValueAt(given, path, put)).toEqual(want);
    expect(given).toEqual(before);
  });

  test('takes "__proto__" for an ordinary name', () => {
    const changed = withValueAt({}, ['__proto__'], { polluted: true });
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":true}}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

test('valueAtPath sees own properties only', () => {
  expect(valueAtPath({ a: [{ b: 1 }] }, ['a', '0', 'b'])).toBe(1);
  expect(valueAtPath({}, ['constructor'])).toBeUndefined();
});
