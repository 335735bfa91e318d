import { hash } from 'node:crypto';
import { isJsonObject } from '@branchline/contract';

/** The id of an event's name and schema (docs/ingest.md, "How an id is computed"). */
export function computeShapeId(eventName: string, schema: readonly unknown[]): string {
  const text = JSON.stringify([eventName.toWellFormed(), writeProperties(schema)]);
  return hash('sha256', text, 'base64url');
}

/** A schema in canonical form. What is no schema is left out: other cases say so. */
export function writeProperties(properties: readonly unknown[]): string {
  const sorted = properties.filter(isJsonObject).map((property) => {
    const name = String(property['name']).toWellFormed();
    return { name, text: `{"name":${JSON.stringify(name)},${writeType(property)}}` };
  });
  return `[${sorted.toSorted((a, b) => compare(a.name, b.name)).map(({ text }) => text)}]`;
}

function writeType({ type, items, properties }: Record<string, unknown>): string {
  const texts = Array.isArray(items) ? items.filter(isJsonObject).map((item) => `{${writeType(item)}}`) : undefined;
  const ofItems = texts === undefined ? '' : `,"items":[${texts.toSorted(compare)}]`;
  const ofProperties = Array.isArray(properties) ? `,"properties":${writeProperties(properties)}` : '';
  return `"type":${JSON.stringify(String(type))}${ofItems}${ofProperties}`;
}

/** By UTF-16 code units. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
