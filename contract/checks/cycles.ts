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
  const schemas = Object.keys(document.components?.schemas ?? {}).map((name) => pointerTo('/components/schemas', name));
  return schemas.flatMap((pointer) => {
    const back = findWayBack(document, pointer, [], new Set());
    if (back === undefined) return [];
    const sentence = `This schema is made of itself (${back}); a value can't be checked by it. Refer to it from a property or an item instead.`;
    return [{ pointer, sentence }];
  });
}

/** The names on the way from a schema back to itself, if there is one; what has been looked through is not looked at again. */
function findWayBack(
  document: OpenApiDocument,
  pointer: string,
  way: readonly string[],
  finished: Set<string>,
): string | undefined {
  const start = way.indexOf(pointer);
  if (start !== -1) return start === 0 ? [...way, pointer].map(nameSchema).filter(isName).join(' → ') : undefined;
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

function isName(name: string): boolean {
  return name !== '';
}
