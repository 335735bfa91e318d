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
  const findWayBack = searchWaysBack(document);
  return listSchemaPointers(document).flatMap((pointer) => {
    const way = findWayBack(pointer);
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

/**
 * Gives a function that finds the pointers on the way from a schema back to itself, if there is one. What leads to no cycle is not looked
 * through again: of a document that has changed, ask anew.
 */
export function searchWaysBack(document: OpenApiDocument): (pointer: string) => string[] | undefined {
  const free = new Set<string>();
  return (root) => {
    const way = new Set<string>();
    const finished = new Set<string>();
    let meetsCycle = false;
    const search = (pointer: string): string[] | undefined => {
      if (way.has(pointer)) {
        meetsCycle = true;
        return pointer === root ? [...way, pointer] : undefined;
      }
      if (free.has(pointer) || finished.has(pointer)) return undefined;
      way.add(pointer);
      for (const next of listSameValue(valueAt(document, pointer), pointer)) {
        const found = search(next);
        if (found !== undefined) return found;
      }
      way.delete(pointer);
      finished.add(pointer);
      return undefined;
    };
    const found = search(root);
    if (!meetsCycle) for (const pointer of finished) free.add(pointer);
    return found;
  };
}

/** The schemas that apply to the same value as one does. */
export function listSameValue(schema: unknown, pointer: string): string[] {
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
