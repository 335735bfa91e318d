/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

/** A place inside a JSON value: property names and array indexes, outermost first. */
export type Path = readonly string[];

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a path, or `undefined` where nothing does. */
export function valueAtPath(value: unknown, path: Path): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Reflect.get(current, part);
  }
  return current;
}

/** A copy of `value` in which `path` holds `put`, or nothing where `put` is `undefined`. The original stays as it is. */
export function withValueAt(value: Json, path: Path, put: Json | undefined): Json | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return put;
  if (Array.isArray(value)) {
    const copy = value.map((item, index) => (String(index) === head ? withValueAt(item, rest, put) : item));
    if (Number(head) === value.length && rest.length === 0) copy.push(put);
    return copy.filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = { ...value };
  const child = rest.length === 0 ? put : withValueAt(copy[head] ?? null, rest, put);
  if (child === undefined) delete copy[head];
  else Object.defineProperty(copy, head, { value: child, enumerable: true, configurable: true, writable: true });
  return copy;
}
