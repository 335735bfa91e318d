import { describe, expect, test } from 'vitest';
import type { ContractDocument } from './document.ts';
import { type HttpResponse, documentedMediaType, documentedStatus, responseCheck } from './response.ts';

const error = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };

const document: ContractDocument = {
  openapi: '3.1.0',
  paths: {
    '/things/{thingId}': {
      get: {
        responses: {
          200: {
            headers: {
              ETag: { required: true, schema: { type: 'string', pattern: '^"' } },
              'X-Left': { $ref: '#/components/headers/Left' },
              'X-List': { schema: { type: 'array', items: { type: 'integer' }, minItems: 2 } },
              'X-Range': {
                schema: { type: 'object', required: ['from', 'to'], properties: { to: { type: 'integer' } } },
              },
              'X-Place': { explode: true, schema: { type: ['object', 'null'], required: ['x'] } },
              'X-Json': { content: { 'application/json': { schema: { type: 'array', minItems: 1 } } } },
            },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } }, 'text/csv': {} },
          },
          404: { $ref: '#/components/responses/Error' },
          '5XX': { $ref: '#/components/responses/Error' },
        },
      },
      delete: { responses: { 204: {}, default: error } },
    },
    '/things/live': {
      get: {
        responses: { 200: { content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      },
    },
    '/things/newest': { get: { responses: { 200: { content: { 'text/plain': { schema: { maxLength: 3 } } } } } } },
  },
  components: {
    headers: { Left: { schema: { type: 'integer', minimum: 0 } } },
    responses: { Error: error },
    schemas: {
      Error: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string' } },
        additionalProperties: false,
      },
      Thing: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string', format: 'uuid' }, parent: { $ref: '#/components/schemas/Thing' } },
      },
    },
  },
};

const check = responseCheck(document);
const id = '3b241101-e2bb-4255-8caf-4136c566a962';
const thing: HttpResponse = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', etag: '"1"', 'x-left': '3' },
  body: JSON.stringify({ id, parent: { id } }),
};
const get = { method: 'GET', path: '/things/1' };

describe('a stream of events', () => {
  const streamed = (body: string) =>
    check({
      method: 'GET',
      path: '/things/live',
      response: { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body },
    });

  test('keeps the contract where the data of each event fits the schema', () => {
    expect(streamed(`:\n\nid: 1\r\ndata: {"id":\r\ndata: "${id}"}\r\n\r\nid: 2\n\ndata: {"not": "whole`)).toEqual([]);
  });
  test('breaks it where that of one does not', () => {
    expect(streamed(`data: {"id":"${id}"}\n\ndata: {"id":"x"}\n\ndata: x\n\n`)).toEqual([
      'The data of event 2 at /id must match format "uuid".',
      'The data of event 3 must be object.',
    ]);
  });
});

describe('JSON without a schema', () => {
  const things: ContractDocument = {
    openapi: '3.1.0',
    paths: { '/things': { get: { responses: { 200: { content: { 'application/json': {} } } } } } },
  };
  test.each([
    ['{"any":1}', []],
    ['{"any":', ['The response body is not valid JSON in UTF-8.']],
    ['', ['The response body is not valid JSON in UTF-8.']],
  ])('is JSON all the same: %s', (body, problems) => {
    const response = { status: 200, headers: { 'content-type': 'application/json' }, body };
    expect(responseCheck(things)({ method: 'GET', path: '/things', response })).toEqual(problems);
  });
});

describe('a response that keeps the contract has no problems', () => {
  const rows: { name: string; method: string; path: string; response: HttpResponse }[] = [
    { name: 'the documented one', ...get, response: thing },
    { name: 'its body as bytes', ...get, response: { ...thing, body: Buffer.from(String(thing.body)) } },
    { name: 'the path template itself', method: 'get', path: '/things/{thingId}', response: thing },
    { name: 'HEAD without a body', ...get, method: 'HEAD', response: { ...thing, body: '' } },
    {
      name: 'a media type without schema',
      ...get,
      response: { ...thing, headers: { ...thing.headers, 'content-type': 'text/csv' }, body: 'a,b' },
    },
    {
      name: 'a status of a documented class',
      ...get,
      response: { status: 503, headers: { 'content-type': 'application/json' }, body: '{"error":"Away."}' },
    },
    { name: 'an empty answer', method: 'DELETE', path: '/things/1', response: { status: 204, headers: {}, body: '' } },
    {
      name: 'a concrete path before a template',
      method: 'GET',
      path: '/things/newest',
      response: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'abc' },
    },
  ];

  test.each(rows)('$name', ({ method, path, response }) => {
    expect(check({ method, path, response })).toEqual([]);
  });
});

describe('a response that breaks the contract is told so', () => {
  const without = (name: string): HttpResponse['headers'] => ({ ...thing.headers, [name]: undefined });
  const rows: { given: Partial<HttpResponse>; method?: string; path?: string; want: string }[] = [
    { given: {}, path: '/others', want: 'The contract has no operation GET /others.' },
    { given: {}, method: 'PATCH', want: 'The contract has no operation PATCH /things/1.' },
    {
      given: { status: 418 },
      want: 'Status 418 is not documented for GET /things/{thingId}; documented: 200, 404, 5XX.',
    },
    { given: { headers: without('etag') }, want: 'The required response header "ETag" is missing.' },
    { given: { headers: { ...thing.headers, etag: 'W1' } }, want: 'Response header "ETag" must match pattern "^"".' },
    { given: { headers: { ...thing.headers, 'x-left': '-1' } }, want: 'Response header "X-Left" must be >= 0.' },
    {
      given: { headers: { ...thing.headers, 'x-list': '1' } },
      want: 'Response header "X-List" must NOT have fewer than 2 items.',
    },
    {
      given: { headers: { ...thing.headers, 'x-range': 'from=1,to=2' } },
      want: 'Response header "X-Range" must have required property \'from\'.',
    },
    {
      given: { headers: { ...thing.headers, 'x-range': 'from,1,to,x' } },
      want: 'Response header "X-Range" must be integer.',
    },
    {
      given: { headers: { ...thing.headers, 'x-place': 'y=1' } },
      want: 'Response header "X-Place" must have required property \'x\'.',
    },
    {
      given: { headers: { ...thing.headers, 'x-json': '[]' } },
      want: 'Response header "X-Json" must NOT have fewer than 1 items.',
    },
    { given: { headers: { ...thing.headers, 'x-json': 'a' } }, want: 'Response header "X-Json" must be array.' },
    {
      given: { headers: without('content-type') },
      want: 'Status 200 needs a body as application/json or text/csv, but names no Content-Type.',
    },
    {
      given: { headers: { ...thing.headers, 'content-type': 'text/html' } },
      want: 'Media type "text/html" is not documented for status 200; documented: application/json, text/csv.',
    },
    { given: { body: '{' }, want: 'The response body is not valid JSON in UTF-8.' },
    { given: { body: Buffer.from([0x22, 0xff, 0x22]) }, want: 'The response body is not valid JSON in UTF-8.' },
    { given: { body: '{}' }, want: `The response body must have required property 'id'.` },
    { given: { body: '{"id":"x"}' }, want: 'The response body at /id must match format "uuid".' },
    {
      given: { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"No.","stack":""}' },
      want: 'The response body must NOT have additional properties: "stack".',
    },
    {
      given: { status: 204, headers: {}, body: '{}' },
      method: 'DELETE',
      want: 'Status 204 is documented without a body, but has one.',
    },
    {
      given: { status: 500, headers: { 'content-type': 'application/json' }, body: '[]' },
      method: 'DELETE',
      want: 'The response body must be object.',
    },
    {
      given: { headers: { 'content-type': 'text/plain' }, body: 'abcd' },
      path: '/things/newest',
      want: 'The response body must NOT have more than 3 characters.',
    },
  ];

  test.each(rows)('$want', ({ given, method = 'GET', path = '/things/1', want }) => {
    expect(check({ method, path, response: { ...thing, ...given } })).toEqual([want]);
  });
});

test('lists, objects and JSON in headers are read as OpenAPI writes them', () => {
  const headers = { 'x-list': '1, 2', 'x-range': 'from,1,to,2', 'x-place': 'x=1=2,y=', 'x-json': '[{"a":1}]' };
  expect(check({ ...get, response: { ...thing, headers: { ...thing.headers, ...headers } } })).toEqual([]);
});

test('a status is looked up exactly, then by class, then as default', () => {
  expect(documentedStatus({ 404: {}, '4XX': {}, default: {} }, 404)).toBe('404');
  expect(documentedStatus({ '4XX': {}, default: {} }, 404)).toBe('4XX');
  expect(documentedStatus({ '4XX': {}, default: {} }, 500)).toBe('default');
  expect(documentedStatus({ 200: {} }, 500)).toBeUndefined();
});

test('a media type is looked up exactly, then by range', () => {
  expect(documentedMediaType(['*/*', 'text/*', 'text/csv'], 'Text/CSV; charset=utf-8')).toBe('text/csv');
  expect(documentedMediaType(['*/*', 'text/*'], 'text/plain')).toBe('text/*');
  expect(documentedMediaType(['*/*'], 'image/png')).toBe('*/*');
  expect(documentedMediaType(['application/json'], 'text/plain')).toBeUndefined();
});
