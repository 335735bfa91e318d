import { DATA_FIELDS_OF_EXAMPLES } from '../data-fields.ts';
import { isObject, pointerTo } from '../pointers.ts';
import type { Fields } from './fault.ts';

const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMAS =
  'items additionalProperties not if then else contains propertyNames unevaluatedProperties unevaluatedItems'.split(
    ' ',
  );

/** Calls back with each schema of a document and its pointer, the outermost first. It may change the schema. */
export function visitSchemas(document: unknown, visit: (schema: Fields, pointer: string) => void): void {
  visitNode(document, '', visit);
}

function visitNode(node: unknown, pointer: string, visit: (schema: Fields, pointer: string) => void): void {
  if (!isObject(node)) return;
  for (const [field, value] of Object.entries(node)) {
    const at = pointerTo(pointer, field);
    if (DATA_FIELDS_OF_EXAMPLES.has(field) || field.startsWith('x-') || !isObject(value)) continue;
    if (field === 'schema' || pointer === '/components/schemas') visitSchema(value, at, visit);
    else visitNode(value, at, visit);
  }
}

function visitSchema(schema: unknown, pointer: string, visit: (schema: Fields, pointer: string) => void): void {
  if (!isObject(schema) || Array.isArray(schema)) return;
  visit(schema, pointer);
  for (const keyword of SCHEMAS) visitSchema(schema[keyword], pointerTo(pointer, keyword), visit);
  for (const keyword of [...SCHEMA_MAPS, ...SCHEMA_LISTS]) {
    const parts = schema[keyword];
    for (const [name, part] of Object.entries(isObject(parts) ? parts : {}))
      visitSchema(part, pointerTo(pointer, keyword, name), visit);
  }
}
