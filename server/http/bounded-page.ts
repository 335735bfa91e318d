import { pauseAfter, takeTurn } from '@branchline/runtime';
import { requireWanted } from '../storage/holder.ts';

/** A page ends before its limit once its rows reach this number of characters. */
export const MOST_CHARACTERS = 256 * 1024;

/** The number of rows read before their size is known. */
const FIRST_ROWS = 4;

/** The number of rows read at a time: those behind small ones may be large. */
const MOST_ROWS = 50;

/** Describes how a page's rows are read. */
export interface RowReading<Row> {
  /** The share that the work counts towards. */
  holder: string;
  /** The maximum number of rows in the page. */
  limit: number;
  /** Reads the first rows of the page, or those after the given row. */
  read: (last: Row | undefined, count: number) => Promise<readonly Row[]>;
  /** In characters. */
  sizeOf: (row: Row) => number;
}

/** Reads the rows of a page with bounded size: a few first, then as many as still fit. */
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
    const asked = Math.min(count, MOST_ROWS, limit - rows.length);
    // Reading and showing them takes some milliseconds.
    await takeTurn(holder);
    requireWanted();
    // One extra row shows whether there is a next page.
    const found = await read(rows.at(-1), asked + 1);
    hasMore = found.length > asked;
    const fitting = found.slice(0, asked);
    for (const row of fitting) {
      rows.push(row);
      size += sizeOf(row);
      if (size < MOST_CHARACTERS) continue;
      // Those behind it are larger than the first ones let expect.
      hasMore ||= row !== fitting.at(-1);
      break;
    }
    count = Math.ceil(((MOST_CHARACTERS - size) * rows.length) / Math.max(1, size));
  }
  return { rows, hasMore };
}

/** A page ends before its limit once its entries reach this number of bytes, as they are sent. */
export const MOST_BYTES = 256 * 1024;

/** How much is measured in one turn, in bytes. */
const PIECE = 32 * 1024;

/**
 * Takes the first entries, up to the one that fills a page with {@link MOST_BYTES} of JSON. In turns.
 *
 * @param holder The share that the work counts towards.
 */
export async function takeFitting<Entry>(holder: string, entries: readonly Entry[]): Promise<Entry[]> {
  const pause = pauseAfter(PIECE, () => takeTurn(holder));
  const fitting: Entry[] = [];
  let size = 0;
  for (const entry of entries) {
    if (size >= MOST_BYTES) break;
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    fitting.push(entry);
    size += bytes;
    await pause(bytes);
  }
  return fitting;
}
