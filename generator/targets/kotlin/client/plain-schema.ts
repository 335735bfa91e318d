import { type Contract, isObject, type Schema } from '@branchline/contract';
import { kdoc } from '../kdoc.ts';

type SchemaObject = Exclude<Schema, boolean>;

/** A schema of which nothing is known: any JSON. */
const ANYTHING: SchemaObject = {};

/**
 * A schema as Kotlin has types: a reference, a scalar, an enumeration of texts, a list, a map, a class, or any JSON.
 *
 * `allOf` becomes one class, and so does a choice between classes: with the properties of all, of which those that not every one
 * requires are optional. Another choice is any JSON. Bounds, rules and defaults are the server's.
 */
export function plainSchema(contract: Contract, schema: unknown): SchemaObject {
  if (!isObject(schema)) return ANYTHING;
  const reference = loneReference(schema);
  if (reference !== undefined) return reference;
  const merged = merge(contract, schema, new Set());
  return { ...plainValue(contract, merged), ...described(schema) };
}

/** A reference, also where it is wrapped: to say more about it, or that it may be null. */
function loneReference(schema: SchemaObject): SchemaObject | undefined {
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { allOf, anyOf, oneOf, description: _, ...rest } = schema;
  const wraps = [allOf, anyOf, oneOf].filter((parts) => parts !== undefined);
  const parts: unknown[] = wraps.length === 1 && Array.isArray(wraps[0]) ? wraps[0] : [];
  const [part, ...others] = parts.filter((one) => !isObject(one) || !isNull(one));
  if (Object.keys(rest).length > 0 || others.length > 0 || !isObject(part) || typeof part['$ref'] !== 'string')
    return undefined;
  const reference = { $ref: part['$ref'] };
  return parts.length === 1 ? reference : { allOf: [reference], nullable: true };
}

function plainValue(contract: Contract, schema: SchemaObject): SchemaObject {
  const types = typesOf(schema);
  const [type, ...others] = types.filter((one) => one !== 'null');
  if (type === undefined || others.length > 0) return ANYTHING;
  return { ...valueOf(contract, type, schema), ...(types.includes('null') ? { nullable: true } : {}) };
}

function valueOf(contract: Contract, type: string, schema: SchemaObject): SchemaObject {
  if (type === 'array') return { type, items: plainSchema(contract, schema['items']) };
  if (type === 'object') return objectOf(contract, schema);
  const { enum: values, format } = schema;
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string' && value !== '') : [];
  if (type === 'string') return texts.length > 0 ? { type, enum: [...new Set(texts)] } : { type };
  return format === 'int64' || format === 'float' ? { type, format } : { type };
}

function objectOf(contract: Contract, schema: SchemaObject): SchemaObject {
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  if (properties.length === 0)
    return { type: 'object', additionalProperties: plainSchema(contract, schema['additionalProperties']) };
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  // What only one side sends can't be demanded of a class that both sides use.
  const oneSided = (value: unknown): boolean =>
    isObject(value) && (value['readOnly'] === true || value['writeOnly'] === true);
  return {
    type: 'object',
    required: properties.filter(([name, value]) => required.includes(name) && !oneSided(value)).map(([name]) => name),
    properties: Object.fromEntries(properties.map(([name, value]) => [name, plainSchema(contract, value)])),
  };
}

/** A schema without `allOf`, `anyOf` and `oneOf`. */
function merge(contract: Contract, schema: SchemaObject, open: ReadonlySet<object>): SchemaObject {
  const { allOf, anyOf, oneOf, ...own } = schema;
  const parts = [own, ...resolved(contract, allOf, open)];
  const choices = resolved(contract, anyOf ?? oneOf, open);
  const whole = parts.reduce((all, part) => together(all, part));
  return choices.length === 0 ? whole : together(whole, eitherOf(choices));
}

function resolved(contract: Contract, schemas: unknown, open: ReadonlySet<object>): SchemaObject[] {
  if (!Array.isArray(schemas)) return [];
  return schemas
    .map((schema: SchemaObject) => contract.resolve(schema) as SchemaObject)
    .filter((schema) => isObject(schema) && !open.has(schema))
    .map((schema) => merge(contract, schema, new Set([...open, schema])));
}

function together(one: SchemaObject, other: SchemaObject): SchemaObject {
  const properties = { ...fieldsOf(one), ...fieldsOf(other) };
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    required: [...new Set([...requiredOf(one), ...requiredOf(other)])],
  };
}

function eitherOf(choices: readonly SchemaObject[]): SchemaObject {
  const real = choices.filter((choice) => !isNull(choice));
  const [first = ANYTHING, ...others] = real;
  const nullable = real.length < choices.length;
  if (others.length === 0) return nullable ? { ...first, type: [...typesOf(first), 'null'] } : first;
  if (!real.every((choice) => typesOf(choice).join() === 'object')) return ANYTHING;
  return {
    type: nullable ? ['object', 'null'] : 'object',
    properties: fieldsOfAny(real),
    required: requiredOf(first).filter((name) => others.every((other) => requiredOf(other).includes(name))),
  };
}

/** A property that the choices do not agree on is any JSON, but texts stay texts: their constants tell the choices apart. */
function fieldsOfAny(choices: readonly SchemaObject[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of choices.flatMap((choice) => Object.entries(fieldsOf(choice)))) {
    const known = fields[name];
    if (known === undefined || JSON.stringify(known) === JSON.stringify(field)) fields[name] = field;
    else fields[name] = isText(known) && isText(field) ? { type: 'string' } : ANYTHING;
  }
  return fields;
}

function isText(field: unknown): boolean {
  return isObject(field) && typesOf(field).join() === 'string';
}

function isNull(schema: SchemaObject): boolean {
  return typesOf(schema).join() === 'null';
}

/** The types of a schema: as it says, or as its keywords give away. */
function typesOf(schema: SchemaObject): string[] {
  if (schema['type'] !== undefined) return [schema['type']].flat().map(String);
  if ('properties' in schema || 'additionalProperties' in schema) return ['object'];
  if ('items' in schema) return ['array'];
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? ['string'] : [];
}

function fieldsOf(schema: SchemaObject): Record<string, unknown> {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function requiredOf(schema: SchemaObject): string[] {
  return Array.isArray(schema['required']) ? schema['required'].map(String) : [];
}

function described({ description }: SchemaObject): SchemaObject {
  return typeof description === 'string' && description.trim() !== '' ? { 'x-kdoc': kdoc(description) } : {};
}
