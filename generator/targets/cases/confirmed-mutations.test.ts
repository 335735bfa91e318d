import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, type OpenApiDocument, toPointer, withValueAt } from '@branchline/contract';
import { type ConfirmedMutation, confirmMutations } from './confirmed-mutations.ts';
import { createValidator } from './validator.ts';
import { createSamples } from './samples.ts';
import { nested, withChoices } from './testing/schemas.ts';

/** What is derived for a schema, with the value that everything is a change of. */
function derived(
  schema: Json,
  components: JsonObject = {},
): { base: Json; mutations: ConfirmedMutation[] } | undefined {
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, schema, components } as OpenApiDocument;
  const validator = createValidator(document);
  const samples = createSamples(document, validator);
  const base = samples.of('/schema', 'full');
  if (base === undefined) return undefined;
  return { base, mutations: confirmMutations({ document, validator, samples }, '/schema', base) };
}

function ids(schema: Json, components?: JsonObject): string[] {
  return derived(schema, components)?.mutations.map(({ id }) => id) ?? [];
}

/** Judges without the validator under test: the schema alone, in an Ajv of its own. */
function independentErrors(schema: Json): (value: unknown) => ErrorObject[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema as JsonObject);
  return (value) => (validate(value) ? [] : [...(validate.errors ?? [])]);
}

function changedBy(base: Json, mutation: ConfirmedMutation): Json | undefined {
  return withValueAt(base, mutation.change.at, mutation.change.put);
}

describe('every mutation', () => {
  test('is valid or invalid exactly as it claims, for any schema', () => {
    fc.assert(
      fc.property(fc.oneof(nested, withChoices), (schema) => {
        const result = derived(schema);
        fc.pre(result !== undefined);
        const errorsOf = independentErrors(schema);
        expect(errorsOf(result?.base)).toEqual([]);
        for (const mutation of result?.mutations ?? []) {
          const valid = errorsOf(changedBy(result?.base ?? null, mutation)).length === 0;
          expect({ id: mutation.id, valid }).toEqual({ id: mutation.id, valid: mutation.valid });
        }
      }),
      { numRuns: 120 },
    );
  });

  test('that is invalid breaks exactly one rule at one place', () => {
    fc.assert(
      fc.property(nested, (schema) => {
        const result = derived(schema);
        fc.pre(result !== undefined);
        const errorsOf = independentErrors(schema);
        for (const mutation of result?.mutations.filter(({ valid }) => !valid) ?? []) {
          const errors = errorsOf(changedBy(result?.base ?? null, mutation));
          const place = toPointer(mutation.at);
          const consequence = (error: ErrorObject): boolean =>
            mutation.keyword === 'type' &&
            error.instancePath === place &&
            ['enum', 'const', 'multipleOf', 'format'].includes(error.keyword);
          const broken = new Set(
            errors
              .filter((error) => !consequence(error))
              .map(({ instancePath, keyword }) => `${instancePath} ${keyword}`),
          );
          expect([...broken], mutation.id).toHaveLength(1);
          expect([...broken][0], mutation.id).toContain(` ${mutation.keyword}`);
        }
      }),
      { numRuns: 120 },
    );
  });

  test('one past an edge has a valid neighbour on the edge', () => {
    const neighbours: Record<string, string> = {
      'minLength-below': 'minLength-at',
      'maxLength-above': 'maxLength-at',
      'minItems-below': 'minItems-at',
      'maxItems-above': 'maxItems-at',
    };
    let compared = 0;
    fc.assert(
      fc.property(nested, (schema) => {
        const found = new Set(ids(schema));
        for (const id of found) {
          const rule = id.split('/').at(-1) ?? '';
          const neighbour = neighbours[rule];
          if (neighbour === undefined) continue;
          compared += 1;
          expect(found).toContain(id.slice(0, -rule.length) + neighbour);
        }
      }),
      { numRuns: 80 },
    );
    expect(compared).toBeGreaterThan(20);
  });

  test('has an id of its own', () => {
    fc.assert(
      fc.property(fc.oneof(nested, withChoices), (schema) => {
        const found = ids(schema);
        expect(found).toHaveLength(new Set(found).size);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the sampler with its repairs', () => {
  test('finds a value for every schema that has one', () => {
    const schemas = fc.sample(nested, { numRuns: 200, seed: 7 });
    expect(schemas.filter((schema) => derived(schema) === undefined)).toEqual([]);
  });

  test.each([
    { type: 'string', pattern: String.raw`^(foo|bar)-\d{3}$` },
    { type: 'string', pattern: String.raw`^\p{Lu}{2}$`, minLength: 2 },
    { type: 'array', items: { type: 'string' }, minItems: 3 },
    { type: 'object', properties: { a: { type: 'integer', minimum: 3, multipleOf: 7 } }, required: ['a'] },
    { type: 'number', minimum: 4.341, multipleOf: 0.01 },
    { type: 'string', format: 'duration' },
    { type: 'string', format: 'json-pointer', example: '#/not/one' },
    { type: 'integer', example: '12345' },
    { enum: ['a', 'b'], example: 'c' },
    { const: 'a', example: 'c' },
    { properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  ])('of %j', (schema) => {
    expect(derived(schema)).toBeDefined();
  });
});

const name = { type: 'string', minLength: 1, maxLength: 5, pattern: '^[a-z]+$', example: 'abc' };

describe('limits that nobody reaches', () => {
  const huge = 2_147_483_647;
  test.each([
    { type: 'string', maxLength: huge },
    { type: 'string', minLength: huge },
    { type: 'string', minLength: huge, pattern: '^a+$' },
    { type: 'array', items: { type: 'string' }, maxItems: huge },
    { type: 'array', items: { type: 'string' }, minItems: huge },
    { type: 'array', items: { type: 'string' }, minItems: huge, uniqueItems: true },
    { type: 'array', minItems: 9_000, items: { type: 'array', minItems: 9_000, items: { type: 'string' } } },
    { properties: { deep: { type: 'array', items: { type: 'string' }, minItems: huge } }, required: ['deep'] },
    { type: 'object', minProperties: huge },
    { type: 'object', maxProperties: huge },
    { type: 'integer', minimum: Number.MAX_VALUE },
    { type: 'string', maxLength: 1e300 },
  ])('%j', (schema) => {
    const texts = derived(schema)?.mutations.map(({ change }) => JSON.stringify(change).length) ?? [];
    expect(Math.max(0, ...texts)).toBeLessThan(8_000_000);
  });
});

describe('what is derived', () => {
  const rows: { given: Json; want: string[] }[] = [
    {
      given: name,
      want: [
        'type-null',
        'type-boolean',
        'type-integer',
        'type-number',
        'type-array',
        'type-object',
        'minLength-at',
        'maxLength-at',
        'maxLength-above',
        ...['space', 'uppercase', 'underscore', 'punctuation', 'accent', 'emoji', 'control', 'newline', 'other'].map(
          (kind) => `pattern-${kind}`,
        ),
      ],
    },
    {
      given: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      want: [
        'type-null',
        'type-boolean',
        'type-number',
        'type-string',
        'type-array',
        'type-object',
        'minimum-at',
        'minimum-below',
        'maximum-at',
        'maximum-above',
      ],
    },
    {
      given: { type: ['string', 'null'], enum: ['a', 'b', null] },
      want: [
        'type-boolean',
        'type-integer',
        'type-number',
        'type-array',
        'type-object',
        'enum-a',
        'enum-b',
        'enum-null',
        'enum-other',
      ],
    },
    {
      given: { type: 'array', items: true, minItems: 1, maxItems: 2, uniqueItems: true, example: ['a'] },
      want: [
        'type-null',
        'type-boolean',
        'type-integer',
        'type-number',
        'type-string',
        'type-object',
        'minItems-at',
        'minItems-below',
        'maxItems-at',
        'maxItems-above',
        'uniqueItems-repeated',
      ],
    },
    {
      given: { properties: { id: { const: 1 } }, required: ['id'], additionalProperties: false },
      want: ['id/required', 'branchlineUnknown/additionalProperties', 'id/const-other'],
    },
    { given: { properties: { id: { const: 1 } } }, want: ['branchlineUnknown/unknown-allowed', 'id/const-other'] },
    {
      given: { exclusiveMinimum: 0, multipleOf: 0.01, example: 5 },
      want: ['exclusiveMinimum-above', 'exclusiveMinimum-at', 'multipleOf-next', 'multipleOf-between'],
    },
    { given: { type: 'integer', format: 'int32', example: 1 }, want: ['format-int32'] },
    {
      given: { oneOf: [{ const: 'a' }, { $ref: '#/components/schemas/Two' }] },
      want: ['oneOf-none', 'oneOf-Two', 'const-other', 'oneOf-Two/const-other'],
    },
  ];

  test.each(rows)('of $given', ({ given, want }) => {
    expect(ids(given, { schemas: { Two: { const: 'b' } } })).toEqual(expect.arrayContaining(want));
  });

  test('counts characters, not UTF-16 units', () => {
    const found = derived({ type: 'string', maxLength: 3, example: '😀' });
    const above = found?.mutations.find(({ id }) => id === 'maxLength-above');
    expect(above?.change.put).toBe('😀😀😀😀');
  });

  test('enters a schema that contains itself once', () => {
    const node = {
      type: 'object',
      properties: { value: { type: 'integer' }, next: { $ref: '#/components/schemas/Node' } },
    };
    const found = ids({ $ref: '#/components/schemas/Node' }, { schemas: { Node: node } });
    expect(found).toContain('value/type-null');
    expect(found.filter((id) => id.startsWith('next/next'))).toEqual([]);
  });

  test('marks what is inside an array whose items are judged one at a time', () => {
    const schema = { type: 'array', minItems: 1, items: { type: 'integer' }, 'x-branchline-each': 'Each by itself.' };
    const found = derived(schema)?.mutations ?? [];
    const apart = Object.fromEntries(found.map(({ id, checkedItemwise }) => [id, checkedItemwise]));
    expect(apart).toMatchObject({ '0/type-string': true, 'minItems-below': false, 'type-null': false });
  });

  test('looks at later items where another schema applies to them', () => {
    const schema = {
      type: 'array',
      items: { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } } },
      example: [{ a: 1 }, { a: 1, b: 2 }],
    };
    const found = ids(schema);
    expect(found).toContain('1/b/const-other');
    expect(found).not.toContain('1/a/const-other');
  });
});
