/**
 * The values of a map in the order of its keys. Every transaction writes its rows in this order, so that two of them wait for
 * each other at most, and never in a circle.
 */
export function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** The value that the map has under the key; a new one is added where it has none. */
export function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
