import { expect, test } from 'vitest';
import { contractSchemas } from './contract-schemas.ts';
import { itemChecker } from './items.ts';

interface Items {
  Thing: { name: string };
}

const Thing = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const checkItem = itemChecker<Items>(contractSchemas({ components: { schemas: { Thing } } }));

test.each([
  { item: { name: 'a' }, checked: { item: { name: 'a' } } },
  { item: { name: 7 }, checked: { problem: 'The field "name" must be a string.' } },
  { item: {}, checked: { problem: 'The item lacks the field "name".' } },
  { item: null, checked: { problem: 'The item must be an object.' } },
])('$item is $checked', ({ item, checked }) => {
  expect(checkItem('Thing', item)).toEqual(checked);
});

const withoutToken = { not: { required: ['token'], properties: { token: {} } }, required: ['name'] };
const withToken = { required: ['token'], properties: { token: { type: 'string', minLength: 3 } } };
const closed = { not: { required: ['a', 'b'] } };
const odd = { not: { required: ['a'], properties: { a: { const: 1 } } } };

test.each([
  {
    schema: { oneOf: [withoutToken, withToken] },
    item: { token: 'ab' },
    problem: 'The field "token" must have at least 3 characters.',
  },
  {
    schema: { oneOf: [withToken, withoutToken] },
    item: { token: 'ab' },
    problem: 'The field "token" must have at least 3 characters.',
  },
  { schema: { oneOf: [withoutToken, withToken] }, item: {}, problem: 'The item lacks the field "name".' },
  {
    schema: { anyOf: [withoutToken, closed] },
    item: { token: '', a: 1, b: 1 },
    problem: 'The item must not have the field "token".',
  },
  { schema: closed, item: { a: 1, b: 1 }, problem: 'The item must not have all of "a", "b".' },
  { schema: odd, item: { a: 1 }, problem: 'The item has a value that the contract excludes.' },
])('what fits no branch, or is excluded, is said: $problem', ({ schema, item, problem }) => {
  const check = itemChecker<{ Choice: unknown }>(contractSchemas({ components: { schemas: { Choice: schema } } }));
  expect(check('Choice', item)).toEqual({ problem });
});
