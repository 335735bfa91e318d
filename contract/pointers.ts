import { type Path, valueAtPath } from './json.ts';

/** JSON pointers (RFC 6901), written without the leading `#`. */

export function escapeSegment(segment: string): string {
  // Most have nothing to escape, and whole contracts are gone over by pointers.
  return /[~/]/.test(segment) ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment;
}

/** Appends segments to a pointer, escaping them. */
export function pointerTo(base: string, ...segments: (string | number)[]): string {
  return segments.reduce<string>((pointer, segment) => `${pointer}/${escapeSegment(String(segment))}`, base);
}

/** Writes a path as a pointer: `/events/0/name`; the whole value is the empty string. */
export function toPointer(path: Path): string {
  return pointerTo('', ...path);
}

/** The unescaped segments of a pointer. */
export function fromPointer(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a pointer leads to inside `root`; `undefined` where it leads nowhere. */
export function valueAt(root: unknown, pointer: string): unknown {
  return valueAtPath(root, fromPointer(pointer));
}

/** The pointer of a reference inside the document (`#/a%20b` → `/a b`); `undefined` if it is none. */
export function referencePointer(reference: string): string | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

/** An object or an array: something that has fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
