import { expect, test } from 'vitest';
import { valueAt } from '../pointers.ts';
import { describeFaults, head, loadMended as load, ok, old, schema } from '../testing/mended.ts';

describeFaults([
  {
    what: 'a version without quotes',
    text: 'openapi: 3.1.0\ninfo: { title: Test, version: 1.5 }\npaths: {}',
    at: '2:22',
    mended: { '/info/version': '1.5' },
  },
  {
    what: 'a version of OpenAPI that is a number',
    text: "openapi: 3.1\ninfo: { title: T, version: '1' }\npaths: {}",
    at: '1:1',
    mended: { '/openapi': '3.1.0' },
  },
  {
    what: 'a missing version',
    text: 'openapi: 3.1.0\ninfo: { title: T }\npaths: {}',
    at: '2:1',
    mended: { '/info/version': '0' },
  },
  {
    what: 'an unknown field',
    text: `${head}paths:\n  /a:\n    get:\n      sumary: A\n      ${ok}`,
    at: '6:7',
    mended: { '/paths/~1a/get/sumary': undefined },
  },
  {
    what: 'a response without a description',
    text: `${head}paths:\n  /a:\n    get:\n      responses:\n        '200': {}`,
    at: '7:9',
    mended: { '/paths/~1a/get/responses/200/description': '' },
  },
  {
    what: 'no responses',
    text: `${head}paths:\n  /a:\n    get: { responses: {} }`,
    at: '5:12',
    mended: { '/paths/~1a/get/responses/default/description': '' },
  },
  {
    what: 'a query in a path',
    text: `${head}paths:\n  /a?b=c:\n    get: { ${ok} }`,
    at: '4:3',
    mended: { '/paths/~1a/get/responses/200/description': 'OK' },
  },
  {
    what: 'a path without its slash',
    text: `${head}paths:\n  a:\n    get: { ${ok} }`,
    at: '4:3',
    mended: { '/paths/~1a/get/responses/200/description': 'OK' },
  },
  {
    what: 'a wildcard in a path',
    text: `${head}paths:\n  /a/*:\n    get: { ${ok} }`,
    at: '4:3',
    mended: { '/paths/~1a~1*': undefined },
  },
  {
    what: 'TRACE',
    text: `${head}paths:\n  /a:\n    trace: { ${ok} }`,
    at: '5:5',
    mended: { '/paths/~1a/trace': undefined },
  },
  {
    what: 'an operationId twice',
    text: `${head}paths:\n  /a:\n    get: { operationId: x, ${ok} }\n    put: { operationId: x, ${ok} }`,
    at: '6:12',
    mended: { '/paths/~1a/put/operationId': 'x2' },
  },
  {
    what: 'two paths that are one',
    text: `${head}paths:\n  /a/{x}:\n    get: { parameters: [{ name: x, in: path, required: true, schema: {} }], ${ok} }\n  /a/{y}:\n    get: { parameters: [{ name: y, in: path, required: true, schema: {} }], ${ok} }`,
    at: '7:5',
    mended: { '/paths/~1a~1{y}/get': undefined },
  },
  {
    what: 'a path parameter that is not declared',
    text: `${head}paths:\n  /a/{x}:\n    get: { ${ok} }`,
    at: '5:5',
    mended: { '/paths/~1a~1{x}/get/parameters/0/name': 'x' },
  },
  {
    what: 'a path parameter that stands in no path',
    text: `${head}paths:\n  /a:\n    get: { parameters: [{ name: y, in: path, required: true, schema: {} }], ${ok} }`,
    at: '5:25',
    mended: { '/paths/~1a/get/parameters/0': undefined },
  },
  {
    what: 'the same of all operations of a path',
    text: `${head}paths:\n  /a:\n    parameters: [{ name: y, in: path, required: true, schema: {} }]\n    get: { ${ok} }`,
    at: '5:18',
    mended: { '/paths/~1a/parameters/0': undefined },
  },
  {
    what: 'a parameter twice',
    text: `${head}paths:\n  /a:\n    get: { parameters: [{ name: y, in: query, schema: {} }, { name: y, in: query, schema: {} }], ${ok} }`,
    at: '5:61',
    mended: { '/paths/~1a/get/parameters/1': undefined },
  },
  {
    what: 'a path parameter that is not required',
    text: `${head}paths:\n  /a/{y}:\n    get: { parameters: [{ name: y, in: path, schema: {} }], ${ok} }`,
    at: '5:25',
    mended: { '/paths/~1a~1{y}/get/parameters/0/required': true },
  },
  {
    what: 'a parameter without a schema',
    text: `${head}paths:\n  /a:\n    get: { parameters: [{ name: y, in: query }], ${ok} }`,
    at: '5:25',
    mended: { '/paths/~1a/get/parameters/0/schema': {} },
  },
  {
    what: 'examples that are a list',
    text: `${head}paths:\n  /a:\n    get: { parameters: [{ name: y, in: query, schema: {}, examples: [1] }], ${ok} }`,
    at: '5:59',
    mended: { '/paths/~1a/get/parameters/0/examples': undefined },
  },
  {
    what: 'an unknown security scheme',
    text: `${head}security: [{ key: [] }]\npaths: {}`,
    at: '3:14',
    mended: { '/components/securitySchemes/key/scheme': 'bearer' },
  },
  {
    what: '"null" in 3.0',
    text: `${old}{ type: 'null' }`,
    at: '6:10',
    mended: { '/components/schemas/A/enum': [null] },
  },
  {
    what: 'a list of types in 3.0',
    text: `${old}{ type: [string, 'null'] }`,
    at: '6:10',
    mended: { '/components/schemas/A/type': ['string', 'null'] },
  },
  {
    what: 'a type that is none',
    text: `${schema}{ type: text }`,
    at: '6:10',
    mended: { '/components/schemas/A/type': undefined },
  },
  {
    what: 'an enum of nothing',
    text: `${schema}{ enum: [] }`,
    at: '6:10',
    mended: { '/components/schemas/A/enum': undefined },
  },
  {
    what: 'a required that is no list',
    text: `${schema}{ required: true }`,
    at: '6:10',
    mended: { '/components/schemas/A/required': undefined },
  },
  {
    what: 'a required that names one twice',
    text: `${schema}{ required: [a, a] }`,
    at: '6:10',
    mended: { '/components/schemas/A/required': ['a'] },
  },
  {
    what: 'a required that is empty in 3.0',
    text: `${old}{ type: object, required: [] }`,
    at: '6:24',
    mended: { '/components/schemas/A/required': undefined },
  },
  {
    what: 'another dialect',
    text: `${schema}{ $schema: 'http://json-schema.org/draft-07/schema#' }`,
    at: '6:10',
    mended: { '/components/schemas/A/$schema': undefined },
  },
  {
    what: 'an exclusive bound of 3.0',
    text: `${schema}{ minimum: 3, exclusiveMinimum: true }`,
    at: '6:22',
    mended: { '/components/schemas/A/exclusiveMinimum': 3 },
  },
  {
    what: 'a pattern that is none',
    text: `${schema}{ pattern: '(' }`,
    at: '6:10',
    mended: { '/components/schemas/A/pattern': undefined },
  },
  {
    what: 'anchors of another language',
    text: `${schema}{ pattern: '\\A[a-z]+\\z' }`,
    at: '6:10',
    mended: { '/components/schemas/A/pattern': '^[a-z]+$' },
  },
  {
    what: 'a text in quotes that is not indented',
    text: `openapi: 3.1.0\ninfo:\n  title: "T\n  and more"\n  version: '1'\npaths: {}`,
    at: '4:1',
    mended: { '/info/title': 'T and more' },
  },
]);

test('what is right is not warned of', async () => {
  expect((await load(`${head}paths: {}`)).warnings).toEqual([]);
});

test('JSON is read as JSON, and its places are found all the same', async () => {
  const contract = await load('{\n "openapi": "3.1.0",\n "info": { "title": "T", "version": 1 },\n "paths": {}\n}');
  expect(contract.warnings).toMatchObject([{ position: { line: 3, column: 26 } }]);
  await expect(load('{\n "openapi": "3.1.0",\n "info": {\n')).rejects.toThrow(
    /spec\.json:\d+:\d+ {2}This is not valid JSON/,
  );
});

test('a reference to the own file leads to where it says', async () => {
  const { document } = await load(
    `${schema}{ $ref: './spec.yaml#/components/schemas/B' }\n    B: { type: string }`,
    true,
  );
  expect(valueAt(document, '/components/schemas/A/$ref')).toBe('#/components/schemas/B');
});

test('Swagger 2.0 is read as the OpenAPI document that it would be', async () => {
  const { operations, document } = await load(
    JSON.stringify({
      swagger: '2.0',
      info: { title: 'T', version: '1' },
      paths: {
        '/pets': {
          post: {
            operationId: 'addPet',
            consumes: ['application/json'],
            produces: ['application/json'],
            parameters: [
              { in: 'body', name: 'pet', required: true, schema: { $ref: '#/definitions/Pet' } },
              { in: 'query', name: 'dry', type: 'boolean' },
            ],
            responses: { 200: { description: 'It', schema: { $ref: '#/definitions/Pet' } } },
          },
        },
      },
      definitions: { Pet: { type: 'object', properties: { name: { type: 'string' } } } },
    }),
  );
  expect(document.openapi).toMatch(/^3\.1/);
  expect(operations).toMatchObject([
    {
      id: 'addPet',
      parameters: [{ value: { name: 'dry', schema: { type: 'boolean' } } }],
      requestBody: { value: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
    },
  ]);
});

test('a parameter may be the last of many references', async () => {
  const chain = Array.from(
    { length: 100 },
    (_, index) => `P${index}: { $ref: '#/components/parameters/P${index + 1}' }`,
  );
  const { warnings } = await load(`${head}paths:
  /a/{x}: { get: { parameters: [{ $ref: '#/components/parameters/P0' }], ${ok} } }
components:
  parameters: { ${chain.join(', ')}, P100: { name: x, in: path, required: true, schema: {} } }
`);
  expect(warnings).toEqual([]);
});
