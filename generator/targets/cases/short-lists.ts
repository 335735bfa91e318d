import { mapSchemas } from '@branchline/contract';
import { mostItems } from './mutations/array.ts';

/** Of documents, which are not changed any more. */
const known = new WeakMap<object, object>();

/**
 * A document, or one of its maps, as samples are made of it: lists longer than anybody tries are not made, so a sample of one does not
 * fit its schema.
 */
export function shortenLists<T extends object>(document: T): T {
  const shortened = known.get(document) ?? (hasLongLists(document) ? shorten(document) : document);
  known.set(document, shortened);
  return shortened as T;
}

function hasLongLists(document: object): boolean {
  return /"minItems":(?:\d{5}|[\d.]+e)/.test(JSON.stringify(document));
}

function shorten<T extends object>(document: T): T {
  return mapSchemas(document, (schema) =>
    typeof schema['minItems'] === 'number' && schema['minItems'] > mostItems
      ? { ...schema, minItems: mostItems }
      : schema,
  );
}
