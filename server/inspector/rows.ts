/**
 * Returns a map's values in the order of its keys. Every transaction writes its rows in this order, so that two of them
 * can't deadlock.
 */
export function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Returns the map's value for the key, adding a new one if there is none. */
export function entry<Key, Value extends object>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

/** Compares texts as the database orders its keys: by their bytes in UTF-8. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return placeOf(one) - placeOf(other);
  }
  return a.length - b.length;
}

/** Halves of surrogate pairs are of characters that come behind all others. */
function placeOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
