import type { Json } from '@branchline/contract';
import { type Probe, type ProbesOf, breaking, keeping } from '../mutation.ts';
import { numberIn } from '../schema-object.ts';
import type { Site } from '../schema-location.ts';

/** The edges of `minItems` and `maxItems`, and a repeated item where `uniqueItems` forbids it. */
export const arrayProbes: ProbesOf = (site) => {
  const { schema, value } = site;
  if (!Array.isArray(value)) return [];
  const least = numberIn(schema, 'minItems');
  const most = numberIn(schema, 'maxItems');
  return [
    ...(least === undefined || least === 0 ? [] : lower(site, value, least)),
    ...(most === undefined || most > mostItems ? [] : upper(site, value, most)),
    ...(schema['uniqueItems'] === true ? [repeated(site, value)] : []),
  ];
};

/** Longer arrays would be more of a load test than a case. */
const mostItems = 10_000;

function lower(site: Site, value: Json[], least: number): Probe[] {
  return [
    keeping(site, {
      rule: 'minItems-at',
      says: `has ${items(least)}, exactly its minItems`,
      candidates: ofSize(value, least),
    }),
    breaking(site, 'minItems', {
      rule: 'minItems-below',
      says: `has ${items(least - 1)}, one fewer than its minItems`,
      candidates: ofSize(value, least - 1),
    }),
  ];
}

function upper(site: Site, value: Json[], most: number): Probe[] {
  return [
    keeping(site, {
      rule: 'maxItems-at',
      says: `has ${items(most)}, exactly its maxItems`,
      candidates: ofSize(value, most),
    }),
    breaking(site, 'maxItems', {
      rule: 'maxItems-above',
      says: `has ${items(most + 1)}, one more than its maxItems`,
      candidates: ofSize(value, most + 1),
    }),
  ];
}

function repeated(site: Site, value: Json[]): Probe {
  const [first] = value;
  return breaking(site, 'uniqueItems', {
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

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}

/** Arrays of a size: cut, or of copies of one item, or of items told apart by a number. */
function ofSize(value: Json[], size: number): Json[][] {
  if (size <= value.length) return [value.slice(0, size)];
  const [first] = value;
  if (first === undefined) return [];
  const copies = Array.from({ length: size }, () => first);
  const numbered = Array.from({ length: size - value.length }, (_, index) => distinct(first, index + 1));
  return [copies, [...value, ...numbered]];
}

function distinct(item: Json, number: number): Json {
  if (typeof item === 'number') return item + number;
  return typeof item === 'string' ? `${item}${number}` : item;
}
