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
