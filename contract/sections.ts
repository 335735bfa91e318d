import { fromPointer } from './pointers.ts';

/** Fields that hold a schema, and fields that hold several, by name or in a list. */
const SCHEMA = new Set('schema items additionalProperties not if then else contains propertyNames'.split(' '));
const SCHEMAS = new Set(
  'schemas properties patternProperties allOf anyOf oneOf prefixItems $defs definitions'.split(' '),
);
const SECTIONS = new Set(
  'parameters responses headers examples links callbacks requestBodies securitySchemes'.split(' '),
);

/** The section of a document's components that what stands at a pointer belongs to; `paths` for a path, a webhook and a callback's. */
export function findSection(pointer: string): string | undefined {
  const path = fromPointer(pointer);
  const field = path.at(-1) ?? '';
  const owner = path.at(-2) ?? '';
  if (path.length === 2 && (owner === 'paths' || owner === 'webhooks')) return 'paths';
  if (SCHEMAS.has(owner)) return 'schemas';
  if (SECTIONS.has(owner)) return owner;
  if (SCHEMA.has(field)) return 'schemas';
  if (field === 'requestBody') return 'requestBodies';
  return path.at(-3) === 'callbacks' ? 'paths' : undefined;
}
