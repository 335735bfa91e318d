import { hash } from 'node:crypto';

interface Kinds {
  string: string;
  number: number;
}

/** What stands at each place of a cursor. */
export type CursorShape = readonly (keyof Kinds)[];

/** The values of a cursor of the given shape: `['number', 'string']` holds a `[number, string]`. */
export type CursorValues<Shape extends CursorShape> = { -readonly [Place in keyof Shape]: Kinds[Shape[Place]] };

/**
 * What a cursor belongs to: the list's name, and everything that decides which entries it has and how they are sorted. The same
 * filter is always written in the same way.
 */
export type CursorScope = readonly [list: string, ...filter: (string | readonly string[] | undefined)[]];

/** What a client is told that sends another cursor. */
export const BAD_CURSOR =
  'Query parameter "cursor" must be the nextCursor of the page before, unchanged and with the same filters. Leave it out for the first page.';

/**
 * Writes the place where a page ended as text that is safe in a URL and means nothing to a client.
 *
 * @param place the sort key of the page's last entry: well-formed text without U+0000, and whole numbers
 * @returns base64url; give it to {@link decodeCursor} with the same scope and shape
 */
export function encodeCursor(scope: CursorScope, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([scopeMark(scope), ...place])).toString('base64url');
}

/**
 * Reads a cursor that a client sent back.
 *
 * @param shape what stands at each place, for example `['number', 'string']`
 * @returns the place, safe to compare with columns of either engine; undefined for anything that {@link encodeCursor} did
 *   not write for this scope and shape
 */
export function decodeCursor<const Shape extends CursorShape>(
  scope: CursorScope,
  cursor: string,
  shape: Shape,
): CursorValues<Shape> | undefined {
  const [, ...place] = parse(cursor);
  if (!hasShape(place, shape)) return undefined;
  return encodeCursor(scope, place) === cursor ? place : undefined;
}

/** No secret, and nothing is protected by it: it tells a client's mistakes. */
function scopeMark(scope: CursorScope): string {
  return hash('sha256', JSON.stringify(scope), 'base64url').slice(0, 8);
}

function parse(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

function hasShape<Shape extends CursorShape>(
  values: unknown[],
  shape: Shape,
): values is CursorValues<Shape> & (string | number)[] {
  return values.length === shape.length && values.every((value, place) => fits(value, shape[place]));
}

/** Each engine takes another part of what JSON can say: such a cursor is refused here, not by one of them. */
function fits(value: unknown, kind: keyof Kinds | undefined): boolean {
  if (kind === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
