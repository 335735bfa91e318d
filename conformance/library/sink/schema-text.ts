import { isJsonObject } from '@branchline/contract';

/**
 * A schema as text that is equal for equal schemas: the types of a list’s elements are a set; the properties are one too,
 * unless their order counts.
 */
export function formatSchema(schema: unknown, hasOrder = false): string {
  if (!Array.isArray(schema)) return JSON.stringify(schema);
  const texts = schema.map((property) => typeText(property, hasOrder));
  return (hasOrder ? texts : texts.toSorted()).join(', ');
}

function typeText(type: unknown, hasOrder: boolean): string {
  if (!isJsonObject(type)) return JSON.stringify(type);
  const name = type['name'] === undefined ? '' : `${JSON.stringify(type['name'])}: `;
  const items = Array.isArray(type['items'])
    ? `<${type['items']
        .map((item) => typeText(item, false))
        .toSorted()
        .join(' | ')}>`
    : '';
  const properties = type['properties'] === undefined ? '' : `{${formatSchema(type['properties'], hasOrder)}}`;
  return `${name}${String(type['type'])}${items}${properties}`;
}
