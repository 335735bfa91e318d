import { describe, expect, it } from 'vitest';
import { RULES } from './rules.ts';
import { diffTexts, listRulesOfEach, withSchema } from './testing/versions.ts';

/** The rules without their levels. */
async function names(old: string, after: string): Promise<string[]> {
  const found = (await diffTexts(old, after)).map(({ rule }) => rule);
  expect(found.filter((rule) => !RULES.has(rule))).toEqual([]);
  return found.toSorted();
}

const object = (properties: string, more = ''): string => `{ type: object, properties: { ${properties} }${more} }`;

describe('schemas: one keyword changes, requests and responses tell of it', () => {
  const cases = [
    ['{ type: string }', '{ type: string, maxLength: 5 }', 'max-length-set', 'narrows'],
    ['{ type: string, maxLength: 5 }', '{ type: string, maxLength: 9 }', 'max-length-increased', 'widens'],
    ['{ type: number, minimum: 1 }', '{ type: number, exclusiveMinimum: 1 }', 'exclusive-min-increased', 'narrows'],
    ['{ type: string }', "{ type: [string, 'null'] }", 'became-nullable', 'widens'],
    ['{ type: integer }', '{ type: number }', 'type-generalized', 'widens'],
    ['{ type: string }', '{ type: boolean }', 'type-changed', 'replaces'],
    ['{ type: [string, boolean] }', '{ type: string }', 'list-of-types-narrowed', 'narrows'],
    ['{ enum: [a, b] }', '{ enum: [a] }', 'enum-value-removed', 'narrows'],
    ['{ type: string }', '{ type: string, enum: [a] }', 'became-enum', 'narrows'],
    ['{ const: a }', '{ const: b }', 'const-changed', 'replaces'],
    ['{ type: string, pattern: ^a }', '{ type: string, pattern: ^b }', 'pattern-changed', 'unsure'],
    ['{ type: string, format: uuid }', '{ type: string }', 'format-removed', 'widens'],
    ['{ type: integer, format: int32 }', '{ type: integer, format: int64 }', 'format-changed', 'widens'],
    ['{ type: number, multipleOf: 4 }', '{ type: number, multipleOf: 2 }', 'multiple-of-generalized', 'widens'],
    ['{ type: number, multipleOf: 0.3 }', '{ type: number, multipleOf: 0.1 }', 'multiple-of-generalized', 'widens'],
    ['{ type: array }', '{ type: array, uniqueItems: true }', 'unique-items-set', 'narrows'],
    ['{ type: object }', '{ type: object, additionalProperties: false }', 'additional-properties-closed', 'narrows'],
    [
      '{ anyOf: [{ type: string }, { type: boolean }] }',
      '{ anyOf: [{ type: string }, { type: boolean }, { type: integer }] }',
      'any-of-added',
      'widens',
    ],
    [
      '{ oneOf: [{ type: string }, { type: boolean }, { type: array }] }',
      '{ oneOf: [{ type: boolean }, { type: string }] }',
      'one-of-removed',
      'narrows',
    ],
    [
      '{ type: string }',
      '{ anyOf: [{ type: boolean }, { type: string }] }',
      'wrapped-in-any-of-original-preserved',
      'widens',
    ],
    ['{ type: object, not: { required: [a] } }', '{ type: object }', 'not-removed', 'widens'],
    ['{ type: array, contains: { type: string } }', '{ type: array }', 'contains-removed', 'widens'],
    ['{ type: string, default: a }', '{ type: string, default: b }', 'default-value-changed', 'none'],
  ] as const;
  const rules = listRulesOfEach(cases.map(([old, after]) => [object(`p: ${old}`), object(`p: ${after}`)]));
  const levels = {
    narrows: ['error info', 'info error'],
    widens: ['info error', 'error info'],
    replaces: ['error error', 'error error'],
    unsure: ['warning warning', 'warning warning'],
    none: ['info info', 'info info'],
  };

  it.each(cases.map((one, index) => [...one, index] as const))('%s → %s', async (_old, _after, name, effect, index) => {
    expect((await rules)[index]).toEqual([
      `request-property-${name} ${levels[effect][0]}`,
      `response-property-${name} ${levels[effect][1]}`,
    ]);
  });
});

describe('properties', () => {
  const cases: [string, string, string, string[]][] = [
    [
      'new',
      object('a: {}'),
      object('a: {}, b: {}'),
      ['new-optional-request-property info warning', 'response-optional-property-added info info'],
    ],
    [
      'new and required',
      object('a: {}'),
      object('a: {}, b: {}', ', required: [b]'),
      ['new-required-request-property error info', 'response-required-property-added info error'],
    ],
    [
      'new in a closed object',
      object('a: {}', ', additionalProperties: false'),
      object('a: {}, b: {}', ', additionalProperties: false'),
      ['new-optional-request-property info error', 'response-optional-property-added warning warning'],
    ],
    [
      'removed',
      object('a: {}, b: {}'),
      object('a: {}'),
      ['request-property-removed warning warning', 'response-optional-property-removed info info'],
    ],
    [
      'removed and refused',
      object('a: {}, b: {}', ', additionalProperties: false'),
      object('a: {}', ', additionalProperties: false'),
      ['request-property-removed error info', 'response-optional-property-removed info info'],
    ],
    [
      'removed and required',
      object('a: {}', ', required: [a]'),
      object(''),
      ['request-property-removed warning warning', 'response-required-property-removed error info'],
    ],
    [
      'required now',
      object('a: {}'),
      object('a: {}', ', required: [a]'),
      ['request-property-became-required error info', 'response-property-became-required info error'],
    ],
    [
      'readOnly, required now',
      object('a: { readOnly: true }'),
      object('a: { readOnly: true }', ', required: [a]'),
      ['request-property-became-required info info', 'response-property-became-required info error'],
    ],
    [
      'readOnly, of another type',
      object('a: { readOnly: true, type: string }'),
      object('a: { readOnly: true, type: boolean }'),
      ['request-property-type-changed info info', 'response-property-type-changed error error'],
    ],
    [
      'writeOnly now',
      object('a: {}', ', required: [a]'),
      object('a: { writeOnly: true }', ', required: [a]'),
      [
        'request-required-property-became-write-only info info',
        'response-required-property-became-write-only error info',
      ],
    ],
  ];
  const found = listRulesOfEach(cases.map(([, old, after]) => [old, after]));

  it.each(cases.map(([what, , , rules], index) => [what, rules, index] as const))('%s', async (_what, rules, index) => {
    expect((await found)[index]).toEqual(rules);
  });

  it('one that is deprecated may go after its sunset, and no sooner', async () => {
    const old = withSchema(object("a: { deprecated: true, x-sunset: '2026-06-15' }"));
    const rules = async (today: string): Promise<string[]> =>
      (await diffTexts(old, withSchema(object('')), today))
        .map(({ rule }) => rule)
        .filter((rule) => rule.startsWith('request'));
    expect(await rules('2026-06-15')).toEqual(['request-property-removed-before-sunset']);
    expect(await rules('2026-06-16')).toEqual(['request-property-removed-with-deprecation']);
  });
});

describe('what is the same written in another way', () => {
  const v30 = (text: string): string => `openapi: 3.0.3\ninfo: { title: T, version: '1' }\n${text}`;
  it.each([
    ['nullable', v30(withSchema('{ type: string, nullable: true }')), withSchema("{ type: [string, 'null'] }")],
    [
      'a nullable reference',
      withSchema("{ anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }", 'A: { type: object }'),
      withSchema("{ type: [object, 'null'] }"),
    ],
    [
      'exclusive bounds',
      v30(withSchema('{ type: number, minimum: 0, exclusiveMinimum: true }')),
      withSchema('{ type: number, exclusiveMinimum: 0 }'),
    ],
    [
      'bounds of whole numbers',
      withSchema('{ type: integer, minimum: 1 }'),
      withSchema('{ type: integer, exclusiveMinimum: 0 }'),
    ],
    [
      'a reference',
      withSchema("{ $ref: '#/components/schemas/A' }", 'A: { type: object }'),
      withSchema('{ type: object }'),
    ],
    [
      'allOf',
      withSchema(`{ allOf: [${object('a: { type: string }')}, ${object('b: {}', ', required: [a]')}] }`),
      withSchema(object('a: { type: string }, b: {}', ', required: [a]')),
    ],
    [
      'a component renamed',
      withSchema(
        "{ type: array, items: { $ref: '#/components/schemas/A' } }",
        "A: { type: object, properties: { a: { $ref: '#/components/schemas/A' } } }",
      ),
      withSchema(
        "{ type: array, items: { $ref: '#/components/schemas/B' } }",
        "B: { type: object, properties: { a: { $ref: '#/components/schemas/B' } } }",
      ),
    ],
    [
      'alternatives in another order',
      withSchema('{ oneOf: [{ type: string }, { type: boolean }] }'),
      withSchema('{ oneOf: [{ type: boolean }, { type: string }] }'),
    ],
    ['a bound that bounds nothing', withSchema('{ type: string, minLength: 0 }'), withSchema('{ type: string }')],
  ])('%s', async (_what, old, after) => {
    expect(await names(old, after)).toEqual([]);
    expect(await names(after, old)).toEqual([]);
  });
});

describe('discriminators', () => {
  const choice = (mapping: string, more = ''): string =>
    withSchema(
      `{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }${more}], discriminator: { propertyName: kind${mapping} } }`,
      'Cat: { type: object, required: [kind], properties: { kind: { type: string } } }, ' +
        'Dog: { type: object, required: [kind], properties: { kind: { type: string }, size: {} } }, ' +
        'Cow: { type: object, required: [kind], properties: { kind: { type: string } } }',
    );
  const all = (rule: string): string[] => [`request-body-${rule}`, `response-body-${rule}`];

  it('tell of values that mean another alternative, or none', async () => {
    const mapped = choice(", mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }");
    const other = choice(", mapping: { tom: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }");
    expect(await names(mapped, other)).toEqual(
      [...all('discriminator-mapping-added'), ...all('discriminator-mapping-deleted')].toSorted(),
    );
    expect(await names(choice(''), choice('').replaceAll('propertyName: kind', 'propertyName: size'))).toEqual(
      all('discriminator-property-name-changed'),
    );
  });

  it('tell alternatives apart that would overlap, so that one more breaks no request', async () => {
    const more = choice('', ", { $ref: '#/components/schemas/Cow' }");
    expect(await names(choice(''), more)).toEqual(all('one-of-added'));
    const plain = (text: string): string => text.replaceAll(', discriminator: { propertyName: kind }', '');
    expect(await names(plain(choice('')), plain(more))).toEqual(
      [...all('one-of-added'), ...all('one-of-alternatives-overlap')].toSorted(),
    );
  });

  it('without alternatives choose from what is made of the schema', async () => {
    const pets = (child: string): string =>
      withSchema(
        "{ $ref: '#/components/schemas/Pet' }",
        `Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } }, ${child}`,
      );
    const cat = (size: string): string =>
      `Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { size: { type: ${size} } } }] }`;
    expect(await names(pets(cat('integer')), pets(cat('string')))).toEqual([
      'request-property-type-changed',
      'response-property-type-changed',
    ]);
    expect(await names(pets(cat('integer')), pets(cat('integer').replace('Cat:', 'Lion:')))).toEqual(
      [...all('discriminator-mapping-added'), ...all('discriminator-mapping-deleted')].toSorted(),
    );
  });
});

it('a change of a component is told of once, at its line, with the operations that have it', async () => {
  const text = (type: string): string => `paths:
  /a: { get: { responses: { '200': { $ref: '#/components/responses/Pet' } } } }
  /b: { get: { responses: { '200': { $ref: '#/components/responses/Pet' } } } }
components:
  responses: { Pet: { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
  schemas:
    Pet:
      type: object
      properties:
        tags:
          type: array
          items: { type: ${type} }
`;
  expect(await diffTexts(text('string'), text('integer'))).toEqual([
    {
      rule: 'response-property-type-changed',
      clients: 'error',
      servers: 'error',
      place: 'Pet.tags[]',
      sentence: 'the type was string and is integer',
      operations: ['GET /a', 'GET /b'],
      position: { line: 14, column: 20, side: 'new' },
      nearest: { line: 14, column: 20 },
    },
  ]);
});

it('what is gone is shown in the old document, in Swagger 2.0 too', async () => {
  const text = (properties: string): string => `swagger: '2.0'
info: { title: T, version: '1' }
paths:
  /a: { get: { produces: [application/json], responses: { '200': { description: OK, schema: { $ref: '#/definitions/Pet' } } } } }
definitions:
  Pet:
    type: object
    required: [name]
    properties:
${properties}`;
  const [finding] = await diffTexts(
    text('      tag: { type: string }\n      name: { type: string }\n'),
    text('      tag: { type: string }\n').replace('    required: [name]\n', ''),
  );
  expect(finding).toMatchObject({
    rule: 'response-required-property-removed',
    place: 'Pet.name',
    position: { line: 11, side: 'old' },
  });
});

it.each<[string, string, (text: string) => string, number]>([
  ['an operation', 'api-removed-without-deprecation', (text) => text.replace(/ {4}delete: .*\n/, ''), 4],
  ['a path', 'api-path-removed-without-deprecation', (text) => text.replace(/ {2}\/all: .*\n/, ''), 3],
  [
    'a part of a parameter behind others',
    'request-parameter-enum-value-removed',
    (text) => text.replace('[a, b]', '[a]').replace('      - { name: x', '      - { name: y, in: query }\n$&'),
    8,
  ],
  [
    'a parameter',
    'request-parameter-removed',
    (text) => text.replace(/ {6}- \{ name: x.*\n/, '      - {in: query, name: y}\n'),
    6,
  ],
  [
    'a property of what has a name now',
    'response-optional-property-removed',
    (text) =>
      text
        .replace(/schema: \{ type: object.*? \} \}/, "schema: { $ref: '#/components/schemas/Pet' }")
        .concat('components:\n  schemas:\n    Pet:\n      type: object\n      properties: { id: {} }\n'),
    17,
  ],
  [
    'what is within a path with another parameter',
    'api-tag-removed',
    (text) => text.replace('      tags: [pets]\n', '').replaceAll('{id}', '{petId}'),
    5,
  ],
])('what stands nearest to %s that is gone is known', async (_what, rule, change, line) => {
  const text = `paths:
  /pets/{id}:
    get:
      parameters:
      - { name: x, in: query, schema: { type: string, enum: [a, b] } }
      - { name: id, in: path, required: true, schema: { type: string } }
      tags: [pets]
      responses: { '200': { description: OK, content: { application/json: { schema: { type: object, properties: { id: {}, tag: {} } } } } } }
    delete: { parameters: [{ name: id, in: path, required: true, schema: {} }], responses: { '204': { description: Gone } } }
  /all: { get: { responses: { '200': { description: OK } } } }
`;
  const found = await diffTexts(text, change(text));
  expect(found.map(({ rule: name, nearest }) => `${name} ${nearest.line}`)).toContain(`${rule} ${line}`);
});
