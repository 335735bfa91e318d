import { expect, test } from 'vitest';
import { describeFaults, head, loadMended, ok, old, schema } from '../testing/mended.ts';
import { SpecError } from '../spec-error.ts';

const old3 = head.replace('3.1.0', '3.0.3');
const parameter = (fields: string): string => `${head}paths:\n  /a:\n    get: { parameters: [{ ${fields} }], ${ok} }`;
const scheme = (fields: string): string => `${head}paths: {}\ncomponents:\n  securitySchemes:\n    A: ${fields}`;

describeFaults([
  {
    what: 'a field without a value',
    text: `${head}paths:\n  /a:\n    get:\n      description:\n      ${ok}`,
    at: '6:7',
    mended: { '/paths/~1a/get/description': undefined },
  },
  {
    what: 'an operation without a value',
    text: `${head}paths:\n  /a:\n    get:\n    put: { ${ok} }`,
    at: '5:5',
    mended: { '/paths/~1a/get': undefined },
  },
  {
    what: 'a flag in quotes',
    text: parameter("name: y, in: query, required: 'true', schema: {}"),
    at: '5:47',
    mended: { '/paths/~1a/get/parameters/0/required': true },
  },
  {
    what: 'a number in quotes',
    text: `${schema}{ type: string, minLength: '2' }`,
    at: '6:24',
    mended: { '/components/schemas/A/minLength': 2 },
  },
  {
    what: 'a pattern that is a number',
    text: `${schema}{ type: string, pattern: 0 }`,
    at: '6:24',
    mended: { '/components/schemas/A/pattern': '0' },
  },
  {
    what: 'a name instead of a list of names',
    text: `${schema}{ required: a }`,
    at: '6:10',
    mended: { '/components/schemas/A/required': ['a'] },
  },
  {
    what: 'a property that is no schema',
    text: `${schema}{ properties: { a: string } }`,
    at: '6:24',
    mended: { '/components/schemas/A/properties/a': {} },
  },
  {
    what: 'an enumeration of texts without quotes',
    text: `${schema}{ type: string, enum: [1, true, a] }`,
    at: '6:24',
    mended: { '/components/schemas/A/enum': ['1', 'true', 'a'] },
  },
  {
    what: 'an enumeration of numbers in quotes',
    text: `${schema}{ type: integer, enum: ['1', '2'] }`,
    at: '6:25',
    mended: { '/components/schemas/A/enum': [1, 2] },
  },
  {
    what: 'an enumeration of texts that are to be objects',
    text: `${schema}{ type: object, enum: [a, b] }`,
    at: '6:10',
    mended: { '/components/schemas/A': { enum: ['a', 'b'] } },
  },
  {
    what: 'several schemas for items',
    text: `${old}{ type: array, items: [{ type: string }, { type: integer }] }`,
    at: '6:23',
    mended: { '/components/schemas/A/items/anyOf/1/type': 'integer' },
  },
  {
    what: 'a composition of nothing',
    text: `${old}{ allOf: [] }`,
    at: '6:10',
    mended: { '/components/schemas/A/allOf': undefined },
  },
  {
    what: 'a discriminator of Swagger 2.0',
    text: `${schema}{ discriminator: kind, properties: { kind: { type: string } } }`,
    at: '6:10',
    mended: { '/components/schemas/A/discriminator/propertyName': 'kind' },
  },
  {
    what: 'a schema that its alternatives are made of',
    text: `${schema}{ type: object, oneOf: [{ $ref: '#/components/schemas/B' }] }\n    B: { allOf: [{ $ref: '#/components/schemas/A' }] }`,
    at: '6:24',
    mended: { '/components/schemas/A': { type: 'object' } },
  },
  {
    what: 'a schema that is a part of itself',
    text: `${schema}{ allOf: [{ type: string }, { $ref: '#/components/schemas/A' }] }`,
    at: '6:36',
    mended: { '/components/schemas/A': { allOf: [{ type: 'string' }] } },
  },
  {
    what: 'a keyword that is not what JSON Schema has there',
    text: `${schema}{ type: object, $recursiveAnchor: true, dependentRequired: 5 }`,
    at: '6:48',
    mended: { '/components/schemas/A/dependentRequired': undefined },
  },
  {
    what: 'a reference to where OpenAPI knows nothing',
    text: `${old}{ $ref: '#/definitions/B' }\ndefinitions:\n  B: { type: string }`,
    at: '6:10',
    mended: { '/components/schemas/B/type': 'string', '/components/schemas/A/$ref': '#/components/schemas/B' },
  },
  {
    what: 'a reference with a bare percent sign',
    text: `${old}{ $ref: '#/components/schemas/50%' }\n    50%: { type: string }`,
    at: '6:10',
    mended: { '/components/schemas/A/$ref': '#/components/schemas/50%25' },
  },
  {
    what: 'a style for another place',
    text: parameter('name: y, in: query, style: simple, schema: {}'),
    at: '5:47',
    mended: { '/paths/~1a/get/parameters/0/style': undefined },
  },
  {
    what: 'a parameter without a place',
    text: parameter('name: y, schema: {}'),
    at: '5:25',
    mended: { '/paths/~1a/get/parameters/0': undefined },
  },
  {
    what: 'a parameter with its type outside of a schema',
    text: parameter('name: y, in: query, type: integer'),
    at: '5:25',
    mended: { '/paths/~1a/get/parameters/0/schema/type': 'integer' },
  },
  {
    what: 'a parameter with a schema and a content',
    text: parameter('name: y, in: query, schema: {}, content: { text/plain: {} }'),
    at: '5:59',
    mended: { '/paths/~1a/get/parameters/0/content': undefined },
  },
  {
    what: 'a body among the parameters',
    text: parameter('name: y, in: body, schema: { type: string }'),
    at: '5:36',
    mended: {},
  },
  {
    what: 'a header with its type outside of a schema',
    text: `${head}paths:\n  /a:\n    get: { responses: { '200': { description: OK, headers: { X: { type: integer } } } } }`,
    at: '5:62',
    mended: { '/paths/~1a/get/responses/200/headers/X/schema/type': 'integer' },
  },
  {
    what: 'an example beside examples',
    text: parameter('name: y, in: query, schema: {}, example: 1, examples: { b: { value: 2 } }'),
    at: '5:71',
    mended: { '/paths/~1a/get/parameters/0/examples': undefined },
  },
  {
    what: 'a class of statuses in small letters',
    text: `${head}paths:\n  /a:\n    get: { responses: { 4xx: { description: No } } }`,
    at: '5:25',
    mended: { '/paths/~1a/get/responses/4XX/description': 'No' },
  },
  {
    what: 'what is no status',
    text: `${head}paths:\n  /a:\n    get: { responses: { ok: { description: OK }, '200': { description: OK } } }`,
    at: '5:25',
    mended: { '/paths/~1a/get/responses/ok': undefined },
  },
  {
    what: 'a method in capital letters',
    text: `${head}paths:\n  /a:\n    GET: { ${ok} }`,
    at: '5:5',
    mended: { '/paths/~1a/get/responses/200/description': 'OK' },
  },
  {
    what: 'a schema where a body is due',
    text: `${head}paths:\n  /a:\n    post: { requestBody: { $ref: '#/components/schemas/A' }, ${ok} }\ncomponents: { schemas: { A: { type: string } } }`,
    at: '5:13',
    mended: {
      '/paths/~1a/post/requestBody/content/application~1json/schema/$ref': '#/components/schemas/A',
    },
  },
  {
    what: 'a path that is described by another, with its operationIds',
    text: `${head}paths:\n  /a:\n    get: { operationId: x, ${ok} }\n  /b:\n    $ref: '#/paths/~1a'`,
    at: '6:3',
    mended: { '/paths/~1b/get/operationId': 'x2' },
  },
  {
    what: 'a security scheme of an unknown type',
    text: scheme('{ type: hmac }'),
    at: '6:5',
    mended: { '/components/securitySchemes/A': { type: 'http', scheme: 'bearer' } },
  },
  {
    what: 'a security scheme of Swagger 2.0',
    text: scheme("{ type: oauth2, flow: implicit, authorizationUrl: 'https://a.test', scopes: { b: c } }"),
    at: '6:24',
    mended: { '/components/securitySchemes/A/flows/implicit/scopes': { b: 'c' } },
  },
  {
    what: 'a flow without scopes',
    text: scheme("{ type: oauth2, flows: { password: { tokenUrl: 'https://a.test' } } }"),
    at: '6:33',
    mended: { '/components/securitySchemes/A/flows/password/scopes': {} },
  },
  {
    what: 'fields of another security scheme',
    text: scheme('{ type: http, scheme: bearer, in: header }'),
    at: '6:38',
    mended: { '/components/securitySchemes/A': { type: 'http', scheme: 'bearer' } },
  },
  {
    what: 'names of schemes instead of requirements',
    text: `${scheme('{ type: http, scheme: bearer }')}\nsecurity: [A]`,
    at: '7:12',
    mended: { '/security/0': { A: [] } },
  },
  {
    what: 'a contact that is none',
    text: `openapi: 3.0.3\ninfo: { title: Test, version: '1', contact: { email: nobody } }\npaths: {}`,
    at: '2:47',
    mended: { '/info/contact/email': undefined },
  },
  {
    what: 'a server without an address',
    text: `${head}servers: [{ description: none }]\npaths: {}`,
    at: '3:11',
    mended: { '/servers': [] },
  },
  {
    what: 'OpenAPI 3.2',
    text: "openapi: 3.2.0\ninfo: { title: T, version: '1' }\npaths: {}",
    at: '1:1',
    mended: { '/openapi': '3.1.0' },
  },
  {
    what: 'a wildcard in a path, escaped',
    text: `${head}paths:\n  /a%2A:\n    get: { ${ok} }`,
    at: '4:3',
    mended: { '/paths/~1a%2A': undefined },
  },
  {
    what: 'a name of a schema that OpenAPI does not allow',
    text: `${schema}{ $ref: '#/components/schemas/B C' }\n    B C: { type: string }`,
    at: '5:3',
    mended: { '/components/schemas/B C/type': 'string' },
  },
]);

test('what keeps anybody out is never ignored', async () => {
  const text = `${head}security: [[key]]\npaths: { /a: { get: { ${ok} } } }`;
  await expect(loadMended(text)).rejects.toThrow(SpecError);
});

test('a body that Swagger 2.0 refers to among the parameters is the body', async () => {
  const { operations } = await loadMended(
    JSON.stringify({
      swagger: 2,
      info: { title: 'T', version: '1' },
      parameters: { B: { in: 'body', name: 'b', schema: { type: 'string' } } },
      paths: { '/a': { post: { parameters: [{ $ref: '#/parameters/B' }], responses: { 200: { description: '' } } } } },
    }),
  );
  expect(operations).toMatchObject([
    { parameters: [], requestBody: { value: { content: { 'application/json': { schema: { type: 'string' } } } } } },
  ]);
});

test('an operation that has not the structure of one is left out', async () => {
  const { operations, warnings } = await loadMended(
    `${old3}paths:\n  /a:\n    get: { requestBody: { content: { text/plain: { encoding: 5 } } }, ${ok} }\n    put: { ${ok} }`,
  );
  expect({ operations: operations.length, warnings: warnings.length }).toEqual({ operations: 2, warnings: 1 });
});
