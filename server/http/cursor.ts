interface Kinds {
  string: string;
  number: number;
}

/** What stands at each place of a cursor. */
export type CursorShape = readonly (keyof Kinds)[];

/** The values of a cursor of the given shape: `['number', 'string']` holds a `[number, string]`. */
export type CursorValues<Shape extends CursorShape> = { -readonly [Place in keyof Shape]: Kinds[Shape[Place]] };

/** What a client is told that sends another cursor. */
export const BAD_CURSOR =
  'Query parameter "cursor" must be the nextCursor of the page before, unchanged. Leave it out for the first page.';

/**
 * Writes the place where a page ended as text that is safe in a URL and means nothing to a client.
 *
 * @param values the sort key of the page's last entry: text without U+0000, and whole numbers
 * @returns base64url; give it to {@link decodeCursor} with the same shape
 */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * Reads a cursor that a client sent back.
 *
 * @param shape what stands at each place, for example `['number', 'string']`
 * @returns the values, safe to compare with columns of either engine; undefined for anything that {@link encodeCursor} did
 *   not write for this shape
 */
export function decodeCursor<const Shape extends CursorShape>(
  cursor: string,
  shape: Shape,
): CursorValues<Shape> | undefined {
  const values = parse(cursor);
  if (!hasShape(values, shape)) return undefined;
  return encodeCursor(values) === cursor ? values : undefined;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function hasShape<Shape extends CursorShape>(
  values: unknown,
  shape: Shape,
): values is CursorValues<Shape> & (string | number)[] {
  return (
    Array.isArray(values) && values.length === shape.length && values.every((value, place) => fits(value, shape[place]))
  );
}

/** PostgreSQL takes no U+0000 in text and no fraction for a bigint: such a cursor is refused here, not by the engine. */
function fits(value: unknown, kind: keyof Kinds | undefined): boolean {
  return kind === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && !value.includes('\0');
}
