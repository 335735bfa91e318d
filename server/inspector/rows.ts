/**
 * The values of a map in the order of its keys. Every transaction writes its rows in this order, so that two of them wait for
 * each other at most, and never in a circle.
 */
export function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** The value that the map has under the key; a new one is added where it has none. */
export function entry<Key, Value extends object>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}
