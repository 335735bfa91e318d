import fc from 'fast-check';
import type { Schema } from '../../openapi.ts';

type Fields = Record<string, unknown>;

const NAMES = ['a', 'b', 'kind'];
const small = fc.integer({ min: 0, max: 3 });
const scalar = fc.constantFrom<unknown>(null, true, 0, 1, 2.5, 'a', 'ab', 'b', '');
const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');

/** Any value that the schemas below may be asked about. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.integer({ min: -1, max: 6 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** A schema with references to the components `One` and `Other`. */
export const anySchema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => {
  const schema = tie('schema');
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const fields = (keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> =>
    fc.record(keywords, { requiredKeys: [], noNullPrototype: true });
  const typed: fc.Arbitrary<Fields>[] = [
    fields({
      type: fc.constant('string'),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('^a', 'b$', '^.*$'),
    }),
    fields({
      type: fc.constantFrom('integer', 'number', ['integer', 'null']),
      minimum: small,
      maximum: small,
      exclusiveMinimum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(0.5, 1, 2),
    }),
    fields({
      type: fc.constant('array'),
      items: schema,
      prefixItems: list,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
    }),
    fields({ type: fc.constant('array'), contains: schema, minContains: small, maxContains: small }),
    fields({
      type: fc.constantFrom('object', ['object', 'null']),
      properties: fc.dictionary(fc.constantFrom(...NAMES), schema, { maxKeys: 3, noNullPrototype: true }),
      required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), schema),
      minProperties: small,
      maxProperties: small,
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'd$'), schema, { maxKeys: 1, noNullPrototype: true }),
      propertyNames: fc.constantFrom<unknown>({ enum: ['a'] }, { maxLength: 1 }),
      dependentRequired: fc.constantFrom({ a: ['b'] }, { b: ['a'], a: ['kind'] }),
    }),
    fields({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
    fields({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }), const: scalar }),
    fc.constantFrom({ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Other' }),
    fields({ allOf: list, type }),
    fields({ anyOf: list }),
    fields({ oneOf: list }),
    fields({ not: schema }),
    fields(Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, schema]))),
    fields({
      dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), schema, { maxKeys: 1, noNullPrototype: true }),
    }),
  ];
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Schema>(true, {}, { type: 'string' }),
      ...typed,
    ),
  };
}).schema;

/** A schema and another that was made of it by few changes. */
export const schemaPair: fc.Arbitrary<[Schema, Schema]> = fc
  .tuple(anySchema, anySchema, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }))
  .map(([schema, other, picks]) => [schema, picks.reduce((changed, pick) => change(changed, other, pick), schema)]);

/** Puts a part of one schema in the place of one of another, or takes one away. */
function change(schema: Schema, other: Schema, pick: number): Schema {
  const places = listPlaces(schema);
  const place = places[pick % places.length] ?? [];
  const parts = listPlaces(other).map((path) => valueAt(other, path));
  const part = parts[pick % parts.length];
  const changed = structuredClone(schema);
  if (typeof changed === 'boolean' || place.length === 0) return isSchema(part) ? part : other;
  const owner = valueAt(changed, place.slice(0, -1));
  const field = place.at(-1) ?? '';
  if (Array.isArray(owner)) {
    if (owner.length > 1 && pick % 3 === 0) owner.splice(Number(field), 1);
    else if (isSchema(owner[Number(field)]) && isSchema(part)) owner[Number(field)] = part;
  } else if (isFields(owner)) {
    const before = owner[field];
    if (pick % 3 === 0) delete owner[field];
    else if (typeof before === 'number') owner[field] = pick % 4;
    else if (isSchema(before) && isSchema(part)) owner[field] = part;
    if (pick % 5 === 0 && isFields(other)) Object.assign(owner, isSchemaOwner(place) ? other : {});
  }
  return changed;
}

/** Its last field is a keyword, not a name. */
function isSchemaOwner(place: readonly string[]): boolean {
  return !['properties', 'patternProperties', 'dependentRequired', 'dependentSchemas'].includes(place.at(-2) ?? '');
}

function listPlaces(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const inner = Object.entries(value).flatMap(([field, member]) =>
    ['enum', 'required', 'type', 'dependentRequired', '$ref'].includes(field)
      ? [[...path, field]]
      : listPlaces(member, [...path, field]),
  );
  return [[...path], ...inner];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, field) => (isFields(inner) ? inner[field] : undefined), value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || (isFields(value) && !Array.isArray(value));
}
