import { expect, it } from 'vitest';
import { isSameJson } from './same-json.ts';

const schema = [{ name: 'a', type: 'list', items: [{ type: 'string' }, { type: 'null' }] }];

it('says of JSON that is read twice that it is the same, whatever the order of keys', () => {
  expect(isSameJson(schema, structuredClone(schema))).toBe(true);
  expect(isSameJson({ a: 1, b: [null] }, { b: [null], a: 1 })).toBe(true);
});

it.each([
  [schema, schema.concat(schema)],
  [schema, []],
  [schema, {}],
  [[], {}],
  [{}, []],
  [{}, null],
  [{ a: null }, {}],
  [{}, { a: undefined }],
  [
    { a: 1, b: 2 },
    { a: 1, c: 2 },
  ],
  [{ a: 1 }, { a: '1' }],
  [{ name: 'a', items: [] }, JSON.parse('{"name":"a","__proto__":{}}')],
  [{ name: 'a' }, JSON.parse('{"name":"a","__proto__":{}}')],
])('tells %j from %j', (known, other) => {
  expect(isSameJson(known, other)).toBe(false);
});
