import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { responseCheck } from '@branchline/contract';
import { contractFrom, serveDocument } from '../../testing/served-contract.ts';
import { printServerTypes } from '../../typescript/types-file.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'What each direction holds', version: '1' },
  paths: {
    '/users': {
      post: {
        operationId: 'createUser',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
        },
        responses: {
          200: {
            description: 'It',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      User: {
        allOf: [{ $ref: '#/components/schemas/Identified' }, { required: ['name', 'password', 'createdAt'] }],
        type: 'object',
        properties: {
          name: { type: 'string' },
          password: { type: 'string', writeOnly: true },
          createdAt: { $ref: '#/components/schemas/Instant' },
          friends: { type: 'array', items: { $ref: '#/components/schemas/User' } },
        },
      },
      Identified: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer', readOnly: true } },
      },
      Instant: { type: 'string', readOnly: true },
    },
  },
};

let app: FastifyInstance;
beforeAll(async () => {
  app = await serveDocument(document);
});
afterAll(() => app.close());

test.each([
  { what: 'what is readOnly is not demanded', payload: { name: 'a', password: 'b' }, status: 200 },
  {
    what: 'nor further inside',
    payload: { name: 'a', password: 'b', friends: [{ name: 'c', password: 'd' }] },
    status: 200,
  },
  { what: 'it may be sent back', payload: { id: 1, name: 'a', password: 'b', createdAt: 'now' }, status: 200 },
  { what: 'it has its type', payload: { id: 'x', name: 'a', password: 'b' }, status: 400 },
  { what: 'what is writeOnly is demanded', payload: { name: 'a' }, status: 400 },
])('of a request: $what', async ({ payload, status }) => {
  const response = await app.inject({ method: 'POST', url: '/users', payload });
  expect({ status: response.statusCode, body: response.json() }).toEqual({ status, body: expect.anything() });
});

test.each([
  { what: 'what is writeOnly is not demanded', body: { id: 1, name: 'a', createdAt: 'now' }, problems: 0 },
  { what: 'what is readOnly is', body: { name: 'a', createdAt: 'now' }, problems: 1 },
])('of a reply: $what', async ({ body, problems }) => {
  const { document: loaded } = await contractFrom(document);
  const headers = { 'content-type': 'application/json' };
  const response = { status: 200, headers, body: JSON.stringify(body) };
  expect(responseCheck(loaded)({ method: 'post', path: '/users', response })).toHaveLength(problems);
});

test('the types of each direction ask for what it holds', async () => {
  const types = await printServerTypes(await contractFrom(document), '@branchline/runtime');
  const schemaOf = (name: string): string =>
    new RegExp(`^ {8}${name}: [^]*?;\\n {8}(?=\\S)`, 'm').exec(types)?.[0] ?? '';
  expect(types).toContain(`"application/json": components["schemas"]["UserRequest"];`);
  expect(types).toContain(`"application/json": components["schemas"]["User"];`);
  expect(types).toContain('friends?: components["schemas"]["UserRequest"][];');
  expect(schemaOf('IdentifiedRequest')).toContain('readonly id?: number;');
  expect(schemaOf('Identified')).toContain('readonly id: number;');
});
