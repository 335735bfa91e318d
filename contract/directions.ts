import type { OpenApiDocument, Reference, Schema } from './openapi.ts';
import { isObject } from './pointers.ts';
import { resolveIn } from './references.ts';
import { mapSchemas } from './schema-map.ts';

/** Marks a property that only replies hold, or only requests. */
export type DirectionMark = 'readOnly' | 'writeOnly';

/**
 * A document, or a part of it, as one direction is validated by it: properties with the mark of the other direction need not be there,
 * though they are required in their own. They may be there: what a client was sent it may send back.
 */
export function relaxRequired(document: OpenApiDocument, mark: DirectionMark): OpenApiDocument {
  const relaxed = known[mark].get(document) ?? relaxWhole(document, mark);
  known[mark].set(document, relaxed);
  return relaxed;
}

/** Of documents, which are not changed any more. */
const known: Readonly<Record<DirectionMark, WeakMap<OpenApiDocument, OpenApiDocument>>> = {
  readOnly: new WeakMap(),
  writeOnly: new WeakMap(),
};

function relaxWhole(document: OpenApiDocument, mark: DirectionMark): OpenApiDocument {
  const isMarkedAnywhere = JSON.stringify(document).includes(`"${mark}":true`);
  return isMarkedAnywhere ? relaxPart(document, mark, document) : document;
}

/** The same for a part of the document. */
export function relaxPart<T extends object>(document: OpenApiDocument, mark: DirectionMark, part: T): T {
  const relax = (schema: Record<string, unknown>, outer: readonly string[] = []): Record<string, unknown> => {
    const marked = [...outer, ...findMarked(document, schema, mark)];
    if (marked.length === 0) return schema;
    const fields = Object.entries(schema).map(([field, value]): [string, unknown] => {
      if (!Array.isArray(value)) return [field, value];
      if (field === 'required') return [field, value.filter((name) => !marked.includes(name))];
      const isComposition = ['allOf', 'anyOf', 'oneOf'].includes(field);
      return [field, isComposition ? value.map((part) => (isObject(part) ? relax(part, marked) : part)) : value];
    });
    return Object.fromEntries(fields);
  };
  return mapSchemas(part, (schema) => relax(schema));
}

/** The names of the marked properties of a schema, those of what it is composed of among them. */
function findMarked(
  document: OpenApiDocument,
  written: Schema | Reference,
  mark: DirectionMark,
  open: ReadonlySet<unknown> = new Set(),
): string[] {
  const { value: schema } = resolveIn<Schema>(document, written as Schema);
  if (!isObject(schema) || open.has(schema)) return [];
  const within = new Set([...open, schema]);
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const own = properties.filter(([, property]) => isMarked(document, property, mark)).map(([name]) => name);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? []);
  return [...own, ...parts.flatMap((part) => (isObject(part) ? findMarked(document, part, mark, within) : []))];
}

function isMarked(document: OpenApiDocument, property: unknown, mark: DirectionMark, depth = 0): boolean {
  if (!isObject(property) || depth > 8) return false;
  if (property[mark] === true) return true;
  const { value: schema } = resolveIn<Schema>(document, property);
  if (!isObject(schema)) return false;
  const parts: unknown = schema['allOf'];
  return (
    schema[mark] === true || (Array.isArray(parts) && parts.some((part) => isMarked(document, part, mark, depth + 1)))
  );
}
