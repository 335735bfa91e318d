/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

/** A place inside a JSON value: property names and array indexes, outermost first. */
export type Path = readonly string[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes a path as a JSON pointer (RFC 6901): `/events/0/name`; the whole value is the empty string. */
export function toPointer(path: Path): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Reads a JSON pointer (RFC 6901), without `#`. */
export function fromPointer(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a path, or `undefined` where nothing does. */
export function valueAt(value: unknown, path: Path): unknown {
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
  if (!isObject(value)) return value;
  const copy: JsonObject = { ...value };
  const child = rest.length === 0 ? put : withValueAt(copy[head] ?? null, rest, put);
  if (child === undefined) delete copy[head];
  else Object.defineProperty(copy, head, { value: child, enumerable: true, configurable: true, writable: true });
  return copy;
}
