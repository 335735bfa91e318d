import { afterEach, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { contractFrom } from '../testing/served-contract.ts';
import { buildMock, type MockOptions } from './mock-server.ts';

const pet = { $ref: '#/components/schemas/Pet' };
const problem = {
  description: 'Not so',
  content: { 'application/json': { schema: {}, example: { problem: 'gone' } } },
};
const idIn = (name: string, type: string) => ({ name, in: 'path', required: true, schema: { type } });

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
        responses: {
          200: {
            description: 'Pets',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { total: { type: 'integer' }, pets: { type: 'array', items: pet } },
                },
                examples: {
                  some: { value: { total: 1, pets: [{ id: 7, name: 'Rex' }] } },
                  none: { value: { total: 0, pets: [] } },
                },
              },
            },
          },
          '4XX': problem,
        },
      },
      post: {
        operationId: 'addPet',
        requestBody: { required: true, content: { 'application/json': { schema: pet } } },
        responses: {
          201: {
            description: 'Added',
            content: { 'application/json': { schema: pet, example: { id: 1, name: 'Rex', born: 2020 } } },
          },
        },
      },
    },
    '/pets/{petId}': {
      parameters: [idIn('petId', 'integer')],
      get: {
        operationId: 'getPet',
        responses: { 200: { description: 'It', content: { 'application/json': { schema: pet } } }, 404: problem },
      },
      put: {
        operationId: 'putPet',
        requestBody: { content: { 'application/json': { schema: pet } } },
        responses: { 200: { description: 'It', content: { 'application/json': { schema: pet } } } },
      },
      patch: {
        operationId: 'patchPet',
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: { 200: { description: 'It', content: { 'application/json': { schema: pet } } } },
      },
      delete: { operationId: 'deletePet', responses: { 204: { description: 'Gone' } } },
    },
    '/owners/{owner}/notes': {
      parameters: [idIn('owner', 'string')],
      get: {
        operationId: 'listNotes',
        responses: {
          200: { description: 'Notes', content: { 'application/json': { schema: { type: 'array', items: {} } } } },
        },
      },
      post: {
        operationId: 'addNote',
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: { 204: { description: 'Noted' } },
      },
    },
    '/owners/{owner}/notes/{note}': {
      parameters: [idIn('owner', 'string'), idIn('note', 'string')],
      get: {
        operationId: 'getNote',
        responses: { 200: { description: 'It', content: { 'application/json': { schema: {} } } } },
      },
    },
    '/secret': {
      get: {
        operationId: 'getSecret',
        security: [{ key: [] }, { token: [] }],
        responses: { 204: { description: 'So' } },
      },
    },
    '/picture': {
      get: { operationId: 'getPicture', responses: { 200: { description: 'It', content: { 'image/png': {} } } } },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' }, born: { type: 'integer' } },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' }, token: { type: 'http', scheme: 'bearer' } },
  },
};

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** Sends requests to a mock of the document, and gives what comes. */
async function serve(options?: MockOptions) {
  app = await buildMock(await contractFrom(document), options);
  const address = await app.listen({ port: 0 });
  return async (request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const json =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(address + path, { method, headers, ...json });
    const text = await response.text();
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, body: value, headers: Object.fromEntries(response.headers) };
  };
}

describe('a mock', () => {
  test('answers with the first example of the first success, or with what it makes of the schema', async () => {
    const send = await serve();
    expect(await send('GET /pets')).toMatchObject({ status: 200, body: { total: 1, pets: [{ id: 7 }] } });
    expect(await send('GET /pets/3')).toMatchObject({ body: { id: expect.any(Number), name: expect.any(String) } });
    expect(await send('DELETE /pets/3')).toMatchObject({ status: 204, body: undefined });
    expect(await send('GET /picture')).toMatchObject({ status: 501 });
  });

  test.each([
    ['code=404', 404, { problem: 'gone' }],
    ['code=418', 418, { problem: 'gone' }],
    ['respond-async, example=none', 200, { total: 0, pets: [] }],
    ['code=200; example="none"', 200, { total: 0, pets: [] }],
    [
      'code=503',
      400,
      { error: 'The operation "listPets" does not document the status 503; its statuses are: 200, 4XX.' },
    ],
    [
      'code=200, example=many',
      400,
      {
        error:
          'The operation "listPets" does not document the status 200 with an example "many"; its statuses are: 200, 4XX.',
      },
    ],
  ])('answers as it is asked to: %s', async (prefer, status, body) => {
    const send = await serve();
    expect(await send('GET /pets', undefined, { prefer })).toMatchObject({ status, body });
  });

  test('tells what is wrong with a request as the contract documents errors', async () => {
    const message = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
    const listing = { operationId: 'list', parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }] };
    const refused = { description: 'Refused', content: { 'application/problem+json': { schema: message } } };
    const paths = { '/notes': { get: { ...listing, responses: { 204: { description: 'Notes' }, 400: refused } } } };
    const app = await buildMock(await contractFrom({ ...document, paths }));
    const reply = await app.inject('/notes?limit=many');
    expect(reply.headers['content-type']).toContain('application/problem+json');
    expect(reply.json()).toEqual({ message: 'The query parameter "limit" must be a number.' });
    await app.close();
  });

  test('an error that is made up says its status, and headers what they mean', async () => {
    const text = { type: 'string' };
    const told = {
      type: 'object',
      required: ['status', 'detail'],
      properties: { type: text, title: text, status: { type: 'integer' }, detail: text, trace: text },
    };
    const failed = (more: object = {}) => ({
      description: 'Failed',
      content: { 'application/problem+json': { schema: told, ...more } },
    });
    const required = (names: string[], schema: object = text) =>
      Object.fromEntries(names.map((name) => [name, { required: true, schema }]));
    const responses = {
      201: { description: 'Made', headers: required(['Location', 'ETag', 'Content-Length', 'X-Odd']) },
      401: { ...failed(), headers: required(['WWW-Authenticate']) },
      404: failed(),
      409: failed({ example: { status: 1, detail: 'Taken.' } }),
      429: { ...failed(), headers: required(['Retry-After'], { type: 'integer' }) },
      default: failed({ example: { status: 400, detail: 'It failed.' } }),
    };
    const security = [{ token: [] }, { key: [] }];
    const paths = {
      '/pets/{petId}/notes': {
        parameters: [idIn('petId', 'string')],
        post: { operationId: 'addNote', security, responses },
      },
    };
    const app = await buildMock(await contractFrom({ ...document, paths }));
    const ask = (prefer: string) =>
      app.inject({ method: 'POST', url: '/pets/7/notes', headers: { prefer, authorization: 'Bearer any' } });
    const made = {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Not Found',
      trace: expect.any(String),
    };
    expect((await ask('code=404')).json()).toEqual(made);
    expect((await ask('code=409')).json()).toEqual({ status: 1, detail: 'Taken.' });
    expect((await ask('code=503')).json()).toEqual({ status: 503, detail: 'It failed.' });
    expect((await ask('code=401')).headers).toMatchObject({ 'www-authenticate': 'Bearer' });
    expect((await ask('code=429')).headers).toMatchObject({ 'retry-after': '60' });
    const created = await ask('');
    expect(created.headers).toMatchObject({ location: '/pets/1/notes/1', etag: '"1"', 'x-odd': 'string' });
    expect(created.statusCode).toBe(201);
    await app.close();
  });

  test('tells what is no path as most operations tell errors', async () => {
    const problemIn = (type: string) => ({
      description: 'Failed',
      content: {
        [type]: { schema: { type: 'object' }, example: { type: 'https://pets.example/bad', detail: 'Bad.' } },
      },
    });
    const operation = (id: string, type: string) => ({
      get: { operationId: id, responses: { 204: { description: 'OK' }, 400: problemIn(type) } },
    });
    const json = 'application/json';
    const paths = {
      '/a': operation('a', 'application/problem+json'),
      '/b': operation('b', json),
      '/c': operation('c', json),
    };
    const app = await buildMock(await contractFrom({ ...document, paths }));
    const nothing = await app.inject('/nothing');
    expect(nothing.headers['content-type']).toBe('application/json; charset=utf-8');
    expect([nothing.statusCode, nothing.json()]).toEqual([
      404,
      { type: 'about:blank', detail: 'There is nothing to GET at this path.' },
    ]);
    await app.close();
  });

  test('checks requests, and takes any credential', async () => {
    const send = await serve();
    expect(await send('GET /pets?limit=101')).toMatchObject({
      status: 400,
      body: { error: 'The query parameter "limit" must be at most 100.' },
    });
    expect(await send('POST /pets', { id: 1 })).toMatchObject({
      status: 400,
      body: { error: 'The body lacks the field "name".' },
    });
    expect(await send('GET /secret')).toMatchObject({ status: 401 });
    expect(await send('GET /secret?key=any')).toMatchObject({ status: 204 });
    expect(await send('GET /secret', undefined, { authorization: 'Bearer any' })).toMatchObject({ status: 204 });
    expect(await send('GET /nothing')).toMatchObject({ status: 404 });
  });

  test('lets pages of any origin in', async () => {
    const send = await serve();
    const origin = 'http://localhost:5173';
    const asked = await send('OPTIONS /pets/1', undefined, {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,prefer',
    });
    expect(asked).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': 'content-type,prefer',
      },
    });
    const { headers } = await send('GET /pets', undefined, { origin });
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('branchline-stub'),
    });
    expect((await send('GET /nothing', undefined, { origin })).headers).toMatchObject({
      'access-control-allow-origin': origin,
    });
  });
});

test('a path that can not be is refused in the words of any error, not all of it repeated', async () => {
  const send = await serve();
  const answer = await send(`GET /pets/${'1'.repeat(12_000)}%zz`);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('…') } });
  expect(JSON.stringify(answer.body).length).toBeLessThan(500);
});

describe('a mock that keeps what it is sent', () => {
  test('finds, lists, replaces, changes and deletes it', async () => {
    const send = await serve({ stateful: true });
    expect(await send('GET /pets/1')).toMatchObject({ status: 404, body: { problem: 'gone' } });
    expect(await send('GET /pets')).toMatchObject({ body: { pets: [] } });
    const made = await send('POST /pets', { name: 'Tom' });
    expect(made).toMatchObject({
      status: 201,
      headers: { location: '/pets/1' },
      body: { id: 1, name: 'Tom', born: 2020 },
    });
    expect(await send('GET /pets/1')).toMatchObject({ status: 200, body: made.body });
    await send('POST /pets', { name: 'Ada' });
    expect(await send('GET /pets')).toMatchObject({ body: { pets: [{ id: 1 }, { id: 2, name: 'Ada' }] } });
    expect(await send('PATCH /pets/1', { id: 9, name: 'Tim' })).toMatchObject({
      body: { id: 1, name: 'Tim', born: 2020 },
    });
    await send('PUT /pets/1', { name: 'Jim' });
    expect((await send('GET /pets/1')).body).toEqual({ id: 1, name: 'Jim' });
    expect(await send('DELETE /pets/1')).toMatchObject({ status: 204 });
    expect(await send('GET /pets/1')).toMatchObject({ status: 404 });
    expect(await send('DELETE /pets/1')).toMatchObject({
      status: 404,
      body: { error: 'There is nothing at this path.' },
    });
  });

  test('keeps those of each path apart, also without an answer', async () => {
    const send = await serve({ stateful: true });
    const { headers } = await send('POST /owners/ann/notes', { text: 'a' });
    expect((await send('GET /owners/ann/notes')).body).toMatchObject([{ text: 'a' }]);
    expect((await send('GET /owners/bob/notes')).body).toEqual([]);
    expect((await send(`GET ${headers['location']}`)).body).toMatchObject({ text: 'a' });
  });

  test.each(['\u0000', 'a\nb', '.', '..', '\ud800', 'x'.repeat(2_000), 'a/b', '%2F', 'ü?#'])(
    'finds what it made, whatever id was sent: %j',
    async (id) => {
      const send = await serve({ stateful: true });
      const { headers } = await send('POST /owners/ann/notes', { id, text: 'a' });
      expect(await send(`GET ${headers['location']}`)).toMatchObject({ status: 200, body: { text: 'a' } });
    },
  );

  test('answers otherwise where it is asked to', async () => {
    const send = await serve({ stateful: true });
    expect(await send('GET /pets', undefined, { prefer: 'example=some' })).toMatchObject({ body: { total: 1 } });
  });
});

test('a parameter of a path is as long as the contract lets it be', async () => {
  const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 5_000 } };
  const responses = { 200: { description: 'OK' }, default: { description: 'Not so' } };
  const paths = { '/things/{id}': { get: { operationId: 'getThing', parameters: [parameter], responses } } };
  const info = { title: 'T', version: '1' };
  await using mock = await buildMock(await contractFrom(JSON.stringify({ openapi: '3.1.0', info, paths })));
  const statuses = [5_000, 5_001].map(
    async (length) => (await mock.inject(`/things/${'x'.repeat(length)}`)).statusCode,
  );
  expect(await Promise.all(statuses)).toEqual([200, 400]);
});

test.each(['000', '100', '101', '199', '600', '999'])('%s is no status to ask for', async (code) => {
  const responses = { 200: { description: 'OK' }, default: { description: 'Not so' } };
  const paths = { '/things': { get: { operationId: 'getThings', responses } } };
  const info = { title: 'T', version: '1' };
  await using mock = await buildMock(await contractFrom(JSON.stringify({ openapi: '3.1.0', info, paths })));
  const answer = await mock.inject({ url: '/things', headers: { prefer: `code=${code}` } });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toEqual({ error: expect.stringContaining('its statuses are: 200, default.') });
});
