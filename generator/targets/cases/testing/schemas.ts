import * as fc from 'fast-check';
import type { JsonObject } from '@branchline/contract';

/** Leaves out what is undefined. */
function plain(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

function optional<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

const text = fc
  .record({
    minLength: optional(fc.integer({ min: 0, max: 5 })),
    spread: optional(fc.integer({ min: 0, max: 40 })),
    pattern: optional(fc.constantFrom('^[a-z0-9-]+$', '^[A-Z]+$', '^\\d+$', '^x')),
  })
  .map(({ minLength, spread, pattern }) => {
    const maxLength = spread === undefined ? undefined : Math.max(1, minLength ?? 0) + spread;
    return plain({ type: 'string', minLength, maxLength, pattern });
  });

const formatted = fc
  .constantFrom('uuid', 'date', 'date-time', 'email', 'uri', 'ipv4', 'hostname')
  .map((format) => plain({ type: 'string', format }));

const numeric = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    low: optional(fc.integer({ min: -50, max: 50 })),
    spread: optional(fc.integer({ min: 12, max: 100 })),
    exclusive: fc.boolean(),
    multipleOf: optional(fc.constantFrom(1, 2, 5)),
  })
  .map(({ type, low, spread, exclusive, multipleOf }) => {
    const high = spread === undefined ? undefined : (low ?? 0) + spread;
    return plain(
      exclusive
        ? { type, exclusiveMinimum: low, exclusiveMaximum: high, multipleOf }
        : { type, minimum: low, maximum: high, multipleOf },
    );
  });

const listed = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map((values) => plain({ type: 'string', enum: values }));

const flat: fc.Arbitrary<JsonObject> = fc.oneof(
  text,
  formatted,
  numeric,
  listed,
  fc.constantFrom<JsonObject>(
    { type: 'boolean' },
    { type: ['string', 'null'], maxLength: 8 },
    { const: 'fixed' },
    { const: 3 },
  ),
);

const list = (items: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      items,
      minItems: fc.integer({ min: 0, max: 3 }),
      spread: fc.integer({ min: 0, max: 3 }),
      unique: fc.boolean(),
    })
    .map(({ items, minItems, spread, unique }) => {
      const uniqueItems = unique && minItems < 2 ? true : undefined;
      return plain({ type: 'array', items, minItems, maxItems: Math.max(1, minItems) + spread, uniqueItems });
    });

const names = ['a', 'b', 'c/d', 'e~f'];

const structure = (value: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 4 }),
      asked: fc.subarray(names),
      additionalProperties: fc.constantFrom(undefined, false),
    })
    .map(({ properties, asked, additionalProperties }) => {
      const required = asked.filter((name) => Object.hasOwn(properties, name));
      return plain({ type: 'object', properties, required, additionalProperties });
    });

/** Schemas of strings, numbers, lists and structures, nested. */
export const nested: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3, depthIdentifier: 'schema' }, flat, list(tie('schema')), structure(tie('schema'))),
})).schema;

/** Schemas with `oneOf` or `anyOf`, at the top or inside. */
export const withChoices: fc.Arbitrary<JsonObject> = fc
  .record({
    keyword: fc.constantFrom('oneOf', 'anyOf'),
    branches: fc.array(nested, { minLength: 1, maxLength: 3 }),
    inside: fc.boolean(),
  })
  .map(({ keyword, branches, inside }) =>
    inside
      ? { type: 'object', properties: { choice: { [keyword]: branches } }, required: ['choice'] }
      : { [keyword]: branches },
  );
