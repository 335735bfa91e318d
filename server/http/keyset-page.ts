import contract from '../generated/contract.json' with { type: 'json' };
import { readRows } from './bounded-page.ts';
import { type CursorScope, type CursorShape, type CursorValues, decodeCursor, encodeCursor } from './cursor.ts';

/** The default number of entries per page. */
export const PAGE_SIZE = contract.components.parameters.Limit.schema.default;

/** The requested page of a list. */
export interface PageQuery {
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

/** A list that is read from the position where the previous page ended. */
export interface KeysetList<Shape extends CursorShape, Entry> {
  /** The workspace that has it, which the work counts for. */
  holder: string;
  scope: CursorScope;
  /** The types of a position: the sort key of an entry. */
  shape: Shape;
  /** Reads the first entries after a position, or from the beginning of the list. */
  read: (after: CursorValues<Shape> | undefined, limit: number) => Promise<Entry[]>;
  placeOf: (entry: Entry) => CursorValues<Shape>;
}

export interface KeysetPage<Entry> {
  entries: Entry[];
  /** null on the last page. */
  nextCursor: string | null;
}

/**
 * Reads a page, which ends before its limit where its entries become large.
 *
 * @returns undefined if the cursor does not belong to this list
 */
export async function readKeysetPage<const Shape extends CursorShape, Entry>(
  { holder, scope, shape, read, placeOf }: KeysetList<Shape, Entry>,
  { limit = PAGE_SIZE, cursor }: PageQuery,
): Promise<KeysetPage<Entry> | undefined> {
  const after = cursor === undefined ? undefined : decodeCursor(scope, cursor, shape);
  if (cursor !== undefined && after === undefined) return undefined;
  const { rows: entries, hasMore } = await readRows({
    holder,
    limit,
    read: (last, count) => read(last === undefined ? after : placeOf(last), count),
    sizeOf: (entry: Entry) => JSON.stringify(entry).length,
  });
  const last = hasMore ? entries.at(-1) : undefined;
  return { entries, nextCursor: last === undefined ? null : encodeCursor(scope, placeOf(last)) };
}
