import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { MOST_CHARACTERS, readRows } from './bounded-page.ts';

interface Row {
  at: number;
  size: number;
}

function readPage(sizes: readonly number[], limit: number): Promise<{ rows: Row[]; hasMore: boolean }> {
  const all = sizes.map((size, at): Row => ({ at, size }));
  return readRows<Row>({
    holder: 'w',
    limit,
    read: async (last, count) => all.slice(last === undefined ? 0 : last.at + 1).slice(0, count),
    sizeOf: ({ size }) => size,
  });
}

const sizes = fc.array(fc.oneof(fc.nat(200), fc.integer({ min: 10_000, max: 60_000 })), { maxLength: 300 });

it('a page has the first rows, ends with the one that fills it, and tells whether there are more', async () => {
  const check = fc.asyncProperty(sizes, fc.integer({ min: 1, max: 200 }), async (all, limit) => {
    const { rows, hasMore } = await readPage(all, limit);
    expect(rows.map(({ at }) => at)).toEqual(Array.from(rows.keys()));
    const before = rows.slice(0, -1).reduce((sum, { size }) => sum + size, 0);
    const isFull = before + (rows.at(-1)?.size ?? 0) >= MOST_CHARACTERS;
    expect(before).toBeLessThan(MOST_CHARACTERS);
    expect(rows.length === limit || isFull || rows.length === all.length).toBe(true);
    expect(hasMore).toBe(rows.length < all.length);
  });
  await fc.assert(check);
});

it('no more than 50 rows are read at a time, however small the first ones are', async () => {
  const asked: number[] = [];
  const { rows } = await readRows<Row>({
    holder: 'w',
    limit: 200,
    read: async (last, count) => {
      asked.push(count);
      return Array.from({ length: count }, (_, index) => ({ at: (last?.at ?? -1) + 1 + index, size: 1 }));
    },
    sizeOf: ({ size }) => size,
  });
  expect(rows).toHaveLength(200);
  // One more shows whether there are more.
  expect(Math.max(...asked)).toBe(51);
});
