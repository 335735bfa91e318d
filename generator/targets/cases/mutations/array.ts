import type { Json } from '@branchline/contract';
import { type Mutation, type MutationRule, breakKeyword, keepValid } from '../mutation.ts';
import { readNumber } from '../schema-object.ts';
import type { SchemaLocation } from '../schema-location.ts';

/** The edges of `minItems` and `maxItems`, and a repeated item where `uniqueItems` forbids it. */
export const mutateArray: MutationRule = (location) => {
  const { schema, value } = location;
  if (!Array.isArray(value)) return [];
  const least = readNumber(schema, 'minItems');
  const most = readNumber(schema, 'maxItems');
  return [
    ...(least === undefined || least === 0 || least > mostItems ? [] : mutateMinItems(location, value, least)),
    ...(most === undefined || most > mostItems ? [] : mutateMaxItems(location, value, most)),
    ...(schema['uniqueItems'] === true ? [repeatItem(location, value)] : []),
  ];
};

/** Longer arrays would be more of a load test than a case. */
export const mostItems = 10_000;

function mutateMinItems(location: SchemaLocation, value: Json[], least: number): Mutation[] {
  return [
    keepValid(location, {
      rule: 'minItems-at',
      says: `has ${countItems(least)}, exactly its minItems`,
      candidates: resize(value, least),
    }),
    breakKeyword(location, 'minItems', {
      rule: 'minItems-below',
      says: `has ${countItems(least - 1)}, one fewer than its minItems`,
      candidates: resize(value, least - 1),
    }),
  ];
}

function mutateMaxItems(location: SchemaLocation, value: Json[], most: number): Mutation[] {
  return [
    keepValid(location, {
      rule: 'maxItems-at',
      says: `has ${countItems(most)}, exactly its maxItems`,
      candidates: resize(value, most),
    }),
    breakKeyword(location, 'maxItems', {
      rule: 'maxItems-above',
      says: `has ${countItems(most + 1)}, one more than its maxItems`,
      candidates: resize(value, most + 1),
    }),
  ];
}

function repeatItem(location: SchemaLocation, value: Json[]): Mutation {
  const [first] = value;
  return breakKeyword(location, 'uniqueItems', {
    rule: 'uniqueItems-repeated',
    says: 'holds an item twice',
    candidates:
      first === undefined
        ? []
        : [
            [...value, first],
            [first, first],
          ],
  });
}

function countItems(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}

/** Arrays of a size: cut, or of copies of one item, or of items told apart by a number. */
function resize(value: Json[], size: number): Json[][] {
  if (size <= value.length) return [value.slice(0, size)];
  const [first] = value;
  if (first === undefined) return [];
  const copies = Array.from({ length: size }, () => first);
  const numbered = Array.from({ length: size - value.length }, (_, index) => distinguish(first, index + 1));
  return [copies, [...value, ...numbered]];
}

function distinguish(item: Json, number: number): Json {
  if (typeof item === 'number') return item + number;
  return typeof item === 'string' ? `${item}${number}` : item;
}
