import { hash } from 'node:crypto';

interface Kinds {
  string: string;
  number: number;
}

/** The types of a cursor's values. */
export type CursorShape = readonly (keyof Kinds)[];

/** The values of a cursor of the given shape: `['number', 'string']` means `[number, string]`. */
export type CursorValues<Shape extends CursorShape> = { -readonly [Place in keyof Shape]: Kinds[Shape[Place]] };

/**
 * The scope of a cursor: the list's name, and everything that determines its entries and their order. The same
 * filter always has the same text.
 */
export type CursorScope = readonly [list: string, ...filter: (string | readonly string[] | undefined)[]];

/** The error for any other cursor. */
export const BAD_CURSOR =
  'Query parameter "cursor" must be the nextCursor of the page before, unchanged and with the same filters. Leave it out for the first page.';

/**
 * Encodes the position where a page ended as opaque, URL-safe text.
 *
 * @param place the sort key of the page's last entry: well-formed text without U+0000, and integers
 * @returns base64url for {@link decodeCursor} with the same scope and shape
 */
export function encodeCursor(scope: CursorScope, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([scopeMark(scope), ...place])).toString('base64url');
}

/**
 * Decodes a cursor from a client.
 *
 * @param shape the type of each value, for example `['number', 'string']`
 * @returns the position, safe to compare with columns of either engine; undefined unless {@link encodeCursor}
 *   wrote the text for this scope and shape
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

/** Not secret: it detects mistakes of clients and protects nothing. */
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

/** The engines accept different subsets of JSON values, so anything outside both is refused here. */
function fits(value: unknown, kind: keyof Kinds | undefined): boolean {
  if (kind === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
