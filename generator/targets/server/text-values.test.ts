import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveDocument } from '../../testing/served-contract.ts';

const schemas: Record<string, object> = {
  integer: { type: 'integer' },
  int64: { type: 'integer', format: 'int64' },
  int32: { type: 'integer', format: 'int32' },
  number: { type: 'number' },
  wordOrNumber: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  oneOfBoth: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
  typeList: { type: ['integer', 'string'] },
  switch: { oneOf: [{ type: 'boolean' }, { enum: ['auto'] }] },
  untypedNumbers: { enum: [1, 2] },
  untypedMixture: { enum: [1, 'one', true, null] },
  constant: { const: 7 },
  nullable: { type: ['integer', 'null'] },
  nullableText: { type: ['string', 'null'] },
  referred: { allOf: [{ $ref: '#/components/schemas/Size' }], description: 'how large' },
  mixedList: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
  choiceOfLists: {
    oneOf: [
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: { enum: ['all'] } },
    ],
  },
};

const document = {
  openapi: '3.1.0',
  info: { title: 'Values as text', version: '1' },
  paths: Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          parameters: [{ name: 'x', in: 'query', schema }],
          responses: { 200: { description: 'What was read' } },
        },
        post: {
          operationId: `${name}Form`,
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { x: schema } } },
              'application/json': { schema },
            },
          },
          responses: { 200: { description: 'What was read' } },
        },
      },
    ]),
  ),
  components: { schemas: { Size: { type: 'integer', minimum: 1 } } },
};

let app: FastifyInstance;
beforeAll(async () => {
  app = await serveDocument(document);
});
afterAll(() => app.close());

describe.each([
  ['wordOrNumber', '7', 7],
  ['wordOrNumber', '-7', -7],
  ['wordOrNumber', '007', '007'],
  ['wordOrNumber', '5e10', '5e10'],
  ['wordOrNumber', '-0', '-0'],
  ['wordOrNumber', '%20', ' '],
  ['wordOrNumber', '', ''],
  ['wordOrNumber', '9007199254740993', '9007199254740993'],
  ['wordOrNumber', '1.5', '1.5'],
  ['oneOfBoth', '7', 7],
  ['oneOfBoth', 'seven', 'seven'],
  ['typeList', '7', 7],
  ['typeList', '007', '007'],
  ['switch', 'true', true],
  ['switch', 'false', false],
  ['switch', 'auto', 'auto'],
  ['untypedNumbers', '2', 2],
  ['untypedMixture', '1', 1],
  ['untypedMixture', 'one', 'one'],
  ['untypedMixture', 'true', true],
  ['untypedMixture', '', null],
  ['constant', '7', 7],
  ['nullable', '', null],
  ['nullable', '3', 3],
  ['nullableText', '', ''],
  ['referred', '3', 3],
  ['number', '1e3', 1000],
  ['number', '-1.5', -1.5],
  ['integer', '-12', -12],
  ['int64', '9007199254740991', 9007199254740991],
  ['mixedList', '1&x=007&x=a', [1, '007', 'a']],
  ['choiceOfLists', '1&x=2', [1, 2]],
  ['choiceOfLists', 'all&x=all', ['all', 'all']],
])('%s: the text %j is %j', (name, text, value) => {
  test('in a query', async () => {
    const response = await app.inject(`/${name}?x=${text}`);
    expect(response.json()).toMatchObject({ query: { x: value } });
  });

  test('in a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await app.inject({ method: 'POST', url: `/${name}`, headers, payload: `x=${text}` });
    expect(response.json()).toMatchObject({ body: { x: value } });
  });
});

const safeRange = 'must be a whole number from -9007199254740991 to 9007199254740991.';

test.each([
  ['integer', '1e3', 'must be an integer.'],
  ['integer', '1.0', 'must be an integer.'],
  ['integer', '9007199254740993', safeRange],
  ['int64', '9223372036854775808', safeRange],
  ['number', '9007199254740993', safeRange],
  ['number', '1e999', 'must be a number.'],
  ['int32', '2147483648', 'must be a valid int32.'],
  ['switch', '1', 'must be a boolean.'],
  ['untypedNumbers', '3', 'must be one of: 1, 2.'],
  ['referred', '0', 'must be at least 1.'],
])('%s: the text %j is refused: it %s', async (name, text, demand) => {
  const response = await app.inject(`/${name}?x=${text}`);
  expect(response.json()).toEqual({ error: `The query parameter "x" ${demand}`, kind: 'parameters' });
});

test.each([
  ['int64', '9223372036854775808', safeRange],
  ['int64', '9007199254740993', safeRange],
  ['int32', '2147483648', 'must be a valid int32.'],
  ['int32', '-2147483649', 'must be a valid int32.'],
])('%s: %s in JSON is refused: it %s', async (name, payload, demand) => {
  const headers = { 'content-type': 'application/json' };
  const response = await app.inject({ method: 'POST', url: `/${name}`, headers, payload });
  expect(response.json()).toEqual({ error: `The body ${demand}`, kind: 'body' });
});
