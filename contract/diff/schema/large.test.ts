import { expect, test } from 'vitest';
import { readProperty } from './properties.ts';
import { readAllowed } from './values.ts';
import type { View } from './view.ts';

function viewOfParts(...schemas: readonly Record<string, unknown>[]): View {
  const parts = schemas.map((schema, index) => ({ pointer: `/${index}`, schema, orNull: false }));
  return { key: '', pointer: '', parts, groups: [], isFalse: false };
}

test('each value of an enumeration is read a few times, however many there are', () => {
  let reads = 0;
  const makeValues = (): object[] =>
    Array.from({ length: 500 }, (_, index) => ({
      get name(): number {
        reads += 1;
        return index;
      },
    }));
  expect(readAllowed(viewOfParts({ enum: makeValues() }, { enum: makeValues() }))).toHaveLength(500);
  expect(reads).toBeLessThan(1_000 * 10);
});

test('what an object requires is read once, however many properties it has', () => {
  let reads = 0;
  const names = Array.from({ length: 500 }, (_, index) => `p${index}`);
  const view = viewOfParts({
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    get required(): string[] {
      reads += 1;
      return names;
    },
  });
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} };
  expect(names.filter((name) => !readProperty(document, view, name).isRequired)).toEqual([]);
  expect(reads).toBeLessThan(10);
});
