import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MOST_CHARACTERS } from './bounded-page.ts';
import { type PageQuery, readKeysetPage } from './keyset-page.ts';

interface Entry {
  place: number;
  text: string;
}

/** A list of entries with texts of these lengths. */
function listOf(lengths: readonly number[]) {
  const entries = lengths.map((length, place): Entry => ({ place, text: 'x'.repeat(length) }));
  const readPage = (query: PageQuery) =>
    readKeysetPage(
      {
        holder: 'shop',
        scope: ['entries'],
        shape: ['number'],
        read: async (after, count) => entries.slice((after?.[0] ?? -1) + 1).slice(0, count),
        placeOf: ({ place }: Entry) => [place],
      },
      query,
    );
  return { entries, readPage };
}

it('a walk through the pages meets each entry once, however large they are, and no page is larger than it may be', async () => {
  const length = fc.oneof(fc.nat(100), fc.nat(40_000), fc.constant(MOST_CHARACTERS));
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 150 }), fc.integer({ min: 1, max: 200 }), async (lengths, limit) => {
      const { entries, readPage } = listOf(lengths);
      const met: Entry[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await readPage({ limit, cursor });
        expect(page?.entries.length).toBeLessThanOrEqual(limit);
        expect(JSON.stringify(page?.entries.slice(0, -1)).length).toBeLessThan(1.1 * MOST_CHARACTERS);
        met.push(...(page?.entries ?? []));
        cursor = page?.nextCursor ?? null;
      }
      expect(met).toEqual(entries);
    }),
    { numRuns: 50 },
  );
});

it('a page of small entries has as many as were asked for', async () => {
  const { readPage } = listOf(Array.from({ length: 201 }, () => 200));
  expect((await readPage({ limit: 200 }))?.entries).toHaveLength(200);
  expect((await readPage({}))?.entries).toHaveLength(50);
});

it('the cursor of another list is refused', async () => {
  const { readPage } = listOf([1, 2, 3]);
  expect(await readPage({ cursor: 'x' })).toBe(undefined);
});
