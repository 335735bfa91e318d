import { expect, test } from 'vitest';
import { writeHeader } from './header-value.ts';

test.each<[unknown, unknown, unknown]>([
  [{ from: 0, to: 9 }, 'from,0,to,9', 'from=0,to=9'],
  [{ from: 0, to: undefined }, 'from,0', 'from=0'],
  [{}, '', ''],
  ['a,b', 'a,b', 'a,b'],
  [7, 7, 7],
  [
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ],
])('%j is written as %j, and exploded as %j', (value, plain, exploded) => {
  expect([writeHeader(value, false), writeHeader(value, true)]).toEqual([plain, exploded]);
});
