import { DATA_FIELDS_OF_EXAMPLES } from './data-fields.ts';
import type { OpenApiDocument } from './openapi.ts';
import { isObject } from './pointers.ts';

/**
 * The document without the `$id`s of its schemas. Its references all begin at the root, as their check has made sure, but
 * a JSON Schema library would look for them below the schema that has an `$id`. One with anchors keeps it: they are only
 * unique below it.
 */
export function removeSchemaIds(document: OpenApiDocument): OpenApiDocument {
  const { openapi, info } = document;
  return { ...removeIds(document), openapi, info };
}

function removeIds(node: object): object {
  if ('$id' in node && /"\$(dynamicA|a)nchor":/.test(JSON.stringify(node))) return node;
  const fields = Object.entries(node).filter(([field, value]) => field !== '$id' || typeof value !== 'string');
  return Object.fromEntries(
    fields.map(([field, value]) => [field, DATA_FIELDS_OF_EXAMPLES.has(field) ? value : removeIdsWithin(value)]),
  );
}

function removeIdsWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeIdsWithin);
  return isObject(value) ? removeIds(value) : value;
}
