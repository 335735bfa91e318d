import { DATA_FIELDS } from './data-fields.ts';
import { isObject } from './pointers.ts';

/** Media types whose body is one JSON value after another. */
const JSON_STREAM = /^application\/(?:(?:x-)?ndjson|jsonl|x-jsonlines|json-seq)\s*(?:;|$)/i;

/**
 * Writes, in the document itself, the `itemSchema` of OpenAPI 3.2 as earlier versions have it: the schema of a JSON stream is a list of
 * such items.
 */
export function foldItemSchemas(node: unknown): void {
  if (!isObject(node)) return;
  for (const [field, value] of Object.entries(node)) {
    if (DATA_FIELDS.has(field)) continue;
    if (field === 'content' && isObject(value)) for (const [type, media] of Object.entries(value)) fold(type, media);
    foldItemSchemas(value);
  }
}

function fold(type: string, media: unknown): void {
  if (!JSON_STREAM.test(type.trim()) || !isObject(media) || !('itemSchema' in media)) return;
  media['schema'] = { type: 'array', items: media['itemSchema'] };
  delete media['itemSchema'];
}
