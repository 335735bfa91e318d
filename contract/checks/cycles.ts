import type { OpenApiDocument } from '../openapi.ts';
import { isObject, pointerTo, referencePointer, valueAt } from '../pointers.ts';
import type { Finding } from './check.ts';

const LISTS = ['allOf', 'anyOf', 'oneOf'];
const SINGLE = ['not', 'if', 'then', 'else'];

/**
 * A schema that asks of a value that the same value fits it, by way of `allOf`, `anyOf`, `oneOf`, conditions or references: no validator comes to an
 * end with it, and no type can be made of it. Expects references that lead somewhere.
 */
export function checkCycles(document: OpenApiDocument): Finding[] {
  return listSchemaPointers(document).flatMap((pointer) => {
    const way = findWayBack(document, pointer);
    if (way === undefined) return [];
    const names = way.map(nameSchema).filter((name) => name !== '');
    const sentence = `This schema is made of itself (${names.join(' → ')}); a value can't be checked by it. Refer to it from a property or an item instead.`;
    return [{ pointer, sentence }];
  });
}

/** The pointers of the named schemas. */
export function listSchemaPointers(document: OpenApiDocument): string[] {
  return Object.keys(document.components?.schemas ?? {}).map((name) => pointerTo('/components/schemas', name));
}

/** The pointers on the way from a schema back to itself, if there is one; what has been looked through is not looked at again. */
export function findWayBack(
  document: OpenApiDocument,
  pointer: string,
  way: readonly string[] = [],
  finished = new Set<string>(),
): string[] | undefined {
  const start = way.indexOf(pointer);
  if (start !== -1) return start === 0 ? [...way, pointer] : undefined;
  if (finished.has(pointer)) return undefined;
  for (const next of listSameValue(valueAt(document, pointer), pointer)) {
    const found = findWayBack(document, next, [...way, pointer], finished);
    if (found !== undefined) return found;
  }
  finished.add(pointer);
  return undefined;
}

/** The schemas that apply to the same value as one does. */
function listSameValue(schema: unknown, pointer: string): string[] {
  if (!isObject(schema)) return [];
  const { $ref: reference } = schema;
  const target = typeof reference === 'string' ? referencePointer(reference) : undefined;
  const lists = LISTS.flatMap((keyword) => {
    const parts = schema[keyword];
    return Array.isArray(parts) ? parts.map((_part, index) => pointerTo(pointer, keyword, index)) : [];
  });
  const single = SINGLE.filter((keyword) => isObject(schema[keyword])).map((keyword) => pointerTo(pointer, keyword));
  const dependent = isObject(schema['dependentSchemas'])
    ? Object.keys(schema['dependentSchemas']).map((name) => pointerTo(pointer, 'dependentSchemas', name))
    : [];
  return [...(target === undefined ? [] : [target]), ...lists, ...single, ...dependent];
}

function nameSchema(pointer: string): string {
  return /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1] ?? '';
}
