import { describe, expect, it } from 'vitest';
import { formatSchema } from './schema-text.ts';

const ab = [
  { name: 'a', type: 'int' },
  { name: 'b', type: 'object', properties: [{ name: 'c', type: 'string' }] },
];
const list = (...items: unknown[]): unknown[] => [{ name: 'l', type: 'list', items }];

describe('formatSchema', () => {
  it('is the same in another order of properties, unless that counts', () => {
    expect(formatSchema(ab.toReversed())).toBe(formatSchema(ab));
    expect(formatSchema(ab.toReversed(), true)).not.toBe(formatSchema(ab, true));
  });

  it('takes the types of a list for a set, and what they hold for one too', () => {
    const [first, second] = [list({ type: 'int' }, { type: 'null' }), list({ type: 'null' }, { type: 'int' })];
    expect(formatSchema(first, true)).toBe(formatSchema(second, true));
    const object = (properties: unknown[]): unknown => ({ type: 'object', properties });
    expect(formatSchema(list(object(ab)), true)).toBe(formatSchema(list(object(ab.toReversed())), true));
  });

  it.each([
    ['another type', list({ type: 'int' }), list({ type: 'float' })],
    ['one type more', list({ type: 'int' }), list({ type: 'int' }, { type: 'int' })],
    ['another name', ab, [{ name: 'x', type: 'int' }, ab[1]]],
    ['no items', list(), [{ name: 'l', type: 'list' }]],
    ['another property inside', ab, [ab[0], { name: 'b', type: 'object', properties: [] }]],
    ['no schema', ab, null],
  ])('tells %s apart', (_, one, other) => {
    expect(formatSchema(one)).not.toBe(formatSchema(other));
  });
});
