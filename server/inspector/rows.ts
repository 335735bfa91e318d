import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The most parameters that a statement binds; both engines take some more. */
const MAX_PARAMETERS = 30_000;

/** The rows in portions that one statement can bind. */
export function* portions<Row extends object>(rows: readonly Row[]): Iterable<Row[]> {
  const [first] = rows;
  if (first === undefined) return;
  const size = Math.floor(MAX_PARAMETERS / Object.keys(first).length);
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/**
 * The values of a map in the order of its keys. Every transaction writes its rows in this order, so that two of them wait for
 * each other at most, and never in a circle.
 */
export function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** `(a, b) in ((1, 2), …)`, in the words that both engines have for it. All keys have the same columns. */
export function isOneOf<Key extends object>(keys: readonly Key[]): RawBuilder<SqlBool> {
  const columns = Object.keys(keys[0] ?? {}).map((column) => sql.ref(column));
  const rows = keys.map((key) => sql`(${sql.join(Object.values(key))})`);
  return sql<SqlBool>`(${sql.join(columns)}) in (values ${sql.join(rows)})`;
}

/** The value that the map has under the key; a new one is added where it has none. */
export function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
