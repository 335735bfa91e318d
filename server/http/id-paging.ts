import contract from '../generated/contract.json' with { type: 'json' };
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.ts';

/** How many entries a page holds unless the request says otherwise. */
const PAGE_SIZE = contract.components.parameters.Limit.schema.default;

export interface IdPage<Entry> {
  entries: Entry[];
  /** null on the last page. */
  nextCursor: string | null;
}

/**
 * One page of a list that is sorted by an id alone.
 *
 * @param read the first so many entries after the one with this id; undefined: from the beginning
 * @param idOf the entry's id, by which the list is sorted
 * @returns undefined when the cursor does not belong to this list
 */
export async function pageById<Entry>(
  scope: CursorScope,
  { limit = PAGE_SIZE, cursor }: { limit?: number; cursor?: string },
  read: (after: string | undefined, most: number) => Promise<Entry[]>,
  idOf: (entry: Entry) => string,
): Promise<IdPage<Entry> | undefined> {
  const place = cursor === undefined ? [undefined] : decodeCursor(scope, cursor, ['string']);
  if (place === undefined) return undefined;
  // One more shows whether there is a next page.
  const found = await read(place[0], limit + 1);
  const entries = found.slice(0, limit);
  const last = found.length > limit ? entries.at(-1) : undefined;
  return { entries, nextCursor: last === undefined ? null : encodeCursor(scope, [idOf(last)]) };
}
