import { isObject, pointerTo, valueAt } from './pointers.ts';

/** What a field of a form says that is no part of a schema. */
const OF_PARAMETERS = new Set(['name', 'in', 'required', 'description', 'collectionFormat', 'allowEmptyValue']);

/** How lists are written in a form, unless each item is a field of its own (Swagger 2.0, Parameter Object, `collectionFormat`). */
const STYLES = new Map<unknown, string>([
  ['ssv', 'spaceDelimited'],
  ['pipes', 'pipeDelimited'],
]);

const FORM = 'application/x-www-form-urlencoded';

/**
 * Gives the fields of forms back what Swagger 2.0 says of them: the upgrader keeps no more than their type, format and description.
 *
 * @param document - The same in OpenAPI 3.0, which is changed.
 */
export function restoreFormFields(swagger: { paths: object }, document: unknown): void {
  for (const [path, item] of Object.entries(swagger.paths)) {
    if (!isObject(item)) continue;
    for (const [method, operation] of Object.entries(item)) {
      const body = valueAt(document, pointerTo('', 'paths', path, method, 'requestBody'));
      if (!isObject(operation) || !isObject(body) || !isObject(body['content'])) continue;
      const fields = [item['parameters'], operation['parameters']].flatMap(listFields);
      if (fields.length === 0) continue;
      if (fields.some(({ required }) => required === true)) body['required'] = true;
      for (const [type, media] of Object.entries(body['content'])) {
        if (isObject(media) && isObject(media['schema'])) restoreSchema(media['schema'], fields);
        if (isObject(media) && type === FORM) restoreEncoding(media, fields);
      }
    }
  }
}

type Field = Record<string, unknown> & { name: string };

function listFields(parameters: unknown): Field[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.filter(
    (one): one is Field => isObject(one) && one['in'] === 'formData' && typeof one['name'] === 'string',
  );
}

function restoreSchema(schema: Record<string, unknown>, fields: readonly Field[]): void {
  const known = isObject(schema['properties']) ? schema['properties'] : {};
  const restored = fields.map((field) => [field.name, { ...Object(known[field.name]), ...toSchema(field) }]);
  schema['properties'] = { ...known, ...Object.fromEntries(restored) };
  const required = fields.filter((field) => field['required'] === true).map(({ name }) => name);
  if (required.length > 0) schema['required'] = required;
  else delete schema['required'];
}

/** A file stays what the upgrader has made of it. */
function toSchema(field: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(field).filter(
    ([name, value]) => !OF_PARAMETERS.has(name) && !(name === 'type' && value === 'file'),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'items' && isObject(value) ? toSchema(value) : value]),
  );
}

function restoreEncoding(media: Record<string, unknown>, fields: readonly Field[]): void {
  const lists = fields.filter(({ type, collectionFormat }) => type === 'array' && collectionFormat !== 'multi');
  if (lists.length === 0) return;
  media['encoding'] = Object.fromEntries(
    lists.map(({ name, collectionFormat }) => [
      name,
      { style: STYLES.get(collectionFormat) ?? 'form', explode: false },
    ]),
  );
}
