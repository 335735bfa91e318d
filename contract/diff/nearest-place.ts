import type { OpenApiDocument } from '../openapi.ts';
import { fromPointer, isObject, pointerTo, valueAt } from '../pointers.ts';
import { resolveIn } from '../references.ts';
import { shapeOf } from './operations.ts';

/** The nearest place of the new document to one of the old: itself, or what it stood in, as far as that is still there. */
export function findNearestPlace(old: OpenApiDocument, after: OpenApiDocument, pointer: string): string {
  let before: unknown = old;
  let nearest = '';
  for (const segment of fromPointer(pointer)) {
    const { value, pointer: here } = resolveIn<unknown>(after, valueAt(after, nearest), nearest);
    before = isObject(before) ? before[segment] : undefined;
    const name = here === '/paths' ? findPath(value, segment) : findName(value, segment, before);
    if (name === undefined) break;
    nearest = pointerTo(here, name);
  }
  return nearest;
}

/** The names of path parameters may have changed. */
function findPath(paths: unknown, path: string): string | undefined {
  if (!isObject(paths)) return undefined;
  return Object.hasOwn(paths, path) ? path : Object.keys(paths).find((other) => shapeOf(other) === shapeOf(path));
}

/** In lists what has a name is known by it, since others may have come before it. */
function findName(value: unknown, segment: string, before: unknown): string | undefined {
  if (!Array.isArray(value)) return isObject(value) && Object.hasOwn(value, segment) ? segment : undefined;
  if (!isObject(before) || before['name'] === undefined) return undefined;
  const index = value.findIndex(
    (one: unknown) => isObject(one) && one['name'] === before['name'] && one['in'] === before['in'],
  );
  return index === -1 ? undefined : String(index);
}
