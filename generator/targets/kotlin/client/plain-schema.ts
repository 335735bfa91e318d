import { type Contract, isObject, type Schema } from '@branchline/contract';
import { printKdoc } from '../kdoc.ts';

type SchemaObject = Exclude<Schema, boolean>;

/** A schema of which nothing is known: any JSON. */
const ANYTHING: SchemaObject = {};

/**
 * A schema as Kotlin has types: a reference, a scalar, an enumeration of texts, a list, a map, a class, or any JSON.
 *
 * `allOf` becomes one class, and so does a choice between classes: with the properties of all, of which those that not every one
 * requires are optional. Another choice is any JSON. Bounds, rules and defaults are the server's.
 */
export function simplifySchema(contract: Contract, schema: unknown): SchemaObject {
  if (!isObject(schema)) return ANYTHING;
  const reference = findLoneReference(schema);
  if (reference !== undefined) return reference;
  const merged = merge(contract, schema, new Set());
  return { ...simplifyValue(contract, merged), ...copyDescription(schema) };
}

/** A reference, also where it is wrapped: to say more about it, or that it may be null. */
function findLoneReference(schema: SchemaObject): SchemaObject | undefined {
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

function simplifyValue(contract: Contract, schema: SchemaObject): SchemaObject {
  const types = readTypes(schema);
  const [type, ...others] = types.filter((one) => one !== 'null');
  if (type === undefined || others.length > 0) return ANYTHING;
  return { ...simplifyTyped(contract, type, schema), ...(types.includes('null') ? { nullable: true } : {}) };
}

function simplifyTyped(contract: Contract, type: string, schema: SchemaObject): SchemaObject {
  if (type === 'array') return { type, items: simplifySchema(contract, schema['items']) };
  if (type === 'object') return simplifyObject(contract, schema);
  const { enum: values, format } = schema;
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string' && value !== '') : [];
  if (type === 'string') return texts.length > 0 ? { type, enum: [...new Set(texts)] } : { type };
  return format === 'int64' || format === 'float' ? { type, format } : { type };
}

function simplifyObject(contract: Contract, schema: SchemaObject): SchemaObject {
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  if (properties.length === 0)
    return { type: 'object', additionalProperties: simplifySchema(contract, schema['additionalProperties']) };
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  // What only one side sends can't be demanded of a class that both sides use.
  const oneSided = (value: unknown): boolean =>
    isObject(value) && (value['readOnly'] === true || value['writeOnly'] === true);
  return {
    type: 'object',
    required: properties.filter(([name, value]) => required.includes(name) && !oneSided(value)).map(([name]) => name),
    properties: Object.fromEntries(properties.map(([name, value]) => [name, simplifySchema(contract, value)])),
  };
}

/** A schema without `allOf`, `anyOf` and `oneOf`. */
function merge(contract: Contract, schema: SchemaObject, open: ReadonlySet<object>): SchemaObject {
  const { allOf, anyOf, oneOf, ...own } = schema;
  const parts = [own, ...resolveParts(contract, allOf, open)];
  const choices = resolveParts(contract, anyOf ?? oneOf, open);
  const whole = parts.reduce((all, part) => combine(all, part));
  return choices.length === 0 ? whole : combine(whole, combineChoices(choices));
}

function resolveParts(contract: Contract, schemas: unknown, open: ReadonlySet<object>): SchemaObject[] {
  if (!Array.isArray(schemas)) return [];
  return schemas
    .map((schema: SchemaObject) => contract.resolve(schema) as SchemaObject)
    .filter((schema) => isObject(schema) && !open.has(schema))
    .map((schema) => merge(contract, schema, new Set([...open, schema])));
}

function combine(one: SchemaObject, other: SchemaObject): SchemaObject {
  const properties = { ...readFields(one), ...readFields(other) };
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    required: [...new Set([...readRequired(one), ...readRequired(other)])],
  };
}

function combineChoices(choices: readonly SchemaObject[]): SchemaObject {
  const real = choices.filter((choice) => !isNull(choice));
  const [first = ANYTHING, ...others] = real;
  const nullable = real.length < choices.length;
  if (others.length === 0) return nullable ? { ...first, type: [...readTypes(first), 'null'] } : first;
  if (!real.every((choice) => readTypes(choice).join() === 'object')) return ANYTHING;
  return {
    type: nullable ? ['object', 'null'] : 'object',
    properties: combineFields(real),
    required: readRequired(first).filter((name) => others.every((other) => readRequired(other).includes(name))),
  };
}

/** A property that the choices do not agree on is any JSON, but texts stay texts: their constants tell the choices apart. */
function combineFields(choices: readonly SchemaObject[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of choices.flatMap((choice) => Object.entries(readFields(choice)))) {
    const known = fields[name];
    if (known === undefined || JSON.stringify(known) === JSON.stringify(field)) fields[name] = field;
    else fields[name] = isText(known) && isText(field) ? { type: 'string' } : ANYTHING;
  }
  return fields;
}

function isText(field: unknown): boolean {
  return isObject(field) && readTypes(field).join() === 'string';
}

function isNull(schema: SchemaObject): boolean {
  return readTypes(schema).join() === 'null';
}

/** The types of a schema: as it says, or as its keywords give away. */
function readTypes(schema: SchemaObject): string[] {
  if (schema['type'] !== undefined) return [schema['type']].flat().map(String);
  if ('properties' in schema || 'additionalProperties' in schema) return ['object'];
  if ('items' in schema) return ['array'];
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? ['string'] : [];
}

function readFields(schema: SchemaObject): Record<string, unknown> {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function readRequired(schema: SchemaObject): string[] {
  return Array.isArray(schema['required']) ? schema['required'].map(String) : [];
}

function copyDescription({ description }: SchemaObject): SchemaObject {
  return typeof description === 'string' && description.trim() !== '' ? { 'x-kdoc': printKdoc(description) } : {};
}
