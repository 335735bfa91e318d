import { escapeUnseen } from '../parts/visible-text.ts';
import type { DescribedProperty, DescribedType, ScalarType } from './described-schema.ts';

type JsonSchema = Record<string, unknown>;

const NAMES: Readonly<Record<Exclude<ScalarType, 'unknown'>, string>> = {
  int: 'integer',
  float: 'number',
  boolean: 'boolean',
  string: 'string',
  null: 'null',
};

/** Writes an event's properties as an indented JSON Schema. */
export function jsonSchemaText(eventName: string, properties: readonly DescribedProperty[]): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: eventName,
    ...objectSchema(properties),
  };
  return escapeUnseenIn(JSON.stringify(schema, undefined, 2));
}

function objectSchema(properties: readonly DescribedProperty[]): JsonSchema {
  const required = properties.filter((property) => property.required).map(({ name }) => name);
  return {
    type: 'object',
    ...(properties.length > 0 && {
      // Works for every property name, including `__proto__`.
      properties: Object.fromEntries(properties.map(({ name, types }) => [name, toSchema(types)])),
    }),
    ...(required.length > 0 && { required }),
  };
}

function toSchema(types: readonly DescribedType[]): JsonSchema {
  const [only, ...others] = types;
  // The elements of an empty list are unknown, as is a type that the app could not determine.
  if (only === undefined || types.some(({ type }) => type === 'unknown')) return {};
  if (others.length === 0) return schemaOfOne(only);
  const scalars = types.flatMap((one) => ('elements' in one || 'properties' in one ? [] : [toTypeName(one.type)]));
  if (scalars.length === types.length) return { type: scalars };
  return { anyOf: types.map(schemaOfOne) };
}

function schemaOfOne(described: DescribedType): JsonSchema {
  if ('properties' in described) return objectSchema(described.properties);
  if ('elements' in described) {
    const items = toSchema(described.elements);
    return { type: 'array', ...(Object.keys(items).length > 0 && { items }) };
  }
  return { type: toTypeName(described.type) };
}

function toTypeName(type: ScalarType): string | undefined {
  return type === 'unknown' ? undefined : NAMES[type];
}

/** Keeps the layout's line breaks; JSON has already escaped those inside strings. */
function escapeUnseenIn(json: string): string {
  return json.split('\n').map(escapeUnseen).join('\n');
}
