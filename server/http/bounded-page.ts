import { takeTurn } from '@branchline/runtime';
import { requireWanted } from '../storage/holder.ts';

/** A page ends before its limit once its rows have this many characters. */
export const MOST_CHARACTERS = 256 * 1024;

/** How many rows are read before it is known how large they are. */
const FIRST_ROWS = 4;

/** How the rows of a page are read. */
export interface RowReading<Row> {
  /** Whom the work counts for. */
  holder: string;
  /** The most rows that the page has. */
  limit: number;
  /** Reads the first so many rows of the page or, where one is given, after that row. */
  read: (last: Row | undefined, count: number) => Promise<readonly Row[]>;
  /** In characters. */
  sizeOf: (row: Row) => number;
}

/** Reads the rows of a page, however large each of them is: a few first, then as many as the page may still hold. */
export async function readRows<Row>({
  holder,
  limit,
  read,
  sizeOf,
}: RowReading<Row>): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows: Row[] = [];
  let size = 0;
  let hasMore = true;
  for (let count = FIRST_ROWS; hasMore && rows.length < limit && size < MOST_CHARACTERS;) {
    const asked = Math.min(count, limit - rows.length);
    // To read and show them takes some milliseconds.
    await takeTurn(holder);
    requireWanted();
    // One more shows whether there is a next page.
    const found = await read(rows.at(-1), asked + 1);
    hasMore = found.length > asked;
    rows.push(...found.slice(0, asked));
    size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    count = Math.ceil(((MOST_CHARACTERS - size) * rows.length) / Math.max(1, size));
  }
  return { rows, hasMore };
}
