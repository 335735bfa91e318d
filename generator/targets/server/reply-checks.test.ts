import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AnyOptions, AnyReply } from '../../../test/support/application.ts';
import { serveDocument } from '../../testing/served-contract.ts';

const json = (schema: object) => ({ 'application/json': { schema } });
const reply = (content: object, headers = {}) => ({ description: 'As it is', content, headers });
const get = (operationId: string, responses: object) => ({ get: { operationId, responses } });

const document = {
  openapi: '3.1.0',
  info: { title: 'Replies', version: '1' },
  paths: {
    '/user': get('getUser', {
      200: reply(json({ $ref: '#/components/schemas/User' }), {
        ETag: { $ref: '#/components/headers/Tag' },
        'X-Count': { schema: { type: 'integer', maximum: 9 } },
      }),
      '4XX': reply({ 'application/problem+json': { schema: { type: 'object', required: ['error'] } } }),
    }),
    '/gone': get('getGone', { 204: { description: 'Nothing' } }),
    '/text': get('getText', { 200: reply({ 'text/plain': { schema: { type: 'string', maxLength: 3 } } }) }),
    '/animal': get('getAnimal', { 200: reply(json({ $ref: '#/components/schemas/Animal' })) }),
    '/choice': get('getChoice', { 200: reply(json({ $ref: '#/components/schemas/Choice' })) }),
    '/open': get('getOpen', { 200: reply(json({ $ref: '#/components/schemas/Open' })) }),
    '/news': get('getNews', { 200: reply({ 'text/event-stream': { schema: { $ref: '#/components/schemas/Name' } } }) }),
  },
  components: {
    headers: { Tag: { $ref: '#/components/headers/RealTag' }, RealTag: { required: true, schema: { type: 'string' } } },
    schemas: {
      Name: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      User: {
        allOf: [
          { $ref: '#/components/schemas/Name' },
          {
            type: 'object',
            required: ['password'],
            properties: {
              password: { type: 'string', writeOnly: true },
              friends: { type: 'array', items: { $ref: '#/components/schemas/User' } },
              settings: { type: 'object' },
            },
          },
        ],
      },
      Animal: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } },
      },
      Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
      Dog: { type: 'object', properties: { kind: { type: 'string' }, good: { type: 'boolean' } } },
      Choice: {
        oneOf: [
          { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, additionalProperties: false },
          { type: 'object', required: ['b'], properties: { b: { type: 'integer' } }, additionalProperties: false },
        ],
      },
      Open: {
        type: 'object',
        required: ['asked'],
        properties: {
          map: { type: 'object', properties: { own: {} }, additionalProperties: { $ref: '#/components/schemas/Name' } },
        },
        patternProperties: { '^x-': {} },
      },
    },
  },
};

const apps: FastifyInstance[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

/** What a client gets for a reply, and what the log says of it. */
async function answer(path: string, given: AnyReply, options: Partial<AnyOptions>) {
  const logged: { level: number; operation?: string; msg: string }[] = [];
  const operation = `get${path.charAt(1).toUpperCase()}${path.slice(2)}`;
  const app = await serveDocument(document, {
    ...options,
    handlers: { [operation]: () => given },
    log: (line) => logged.push(JSON.parse(line)),
  });
  apps.push(app);
  // What a stream goes on to say is for a real connection.
  const address = await app.listen({ port: 0 });
  const { status, text } = await fetch(`${address}${path}`)
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => ({ status: undefined, text: 'reset' }));
  return { status, text, said: logged.filter(({ operation: of }) => of !== undefined), logged };
}

const user = { status: 200, headers: { etag: '"1"' }, body: { name: 'a' } };
const wrong = { status: 200, headers: { etag: '"1"' }, body: { totally: 'wrong', secret: 'hush' } };

describe('a reply that keeps to the contract', () => {
  test.each<[string, AnyReply]>([
    ['/user', user],
    ['/user', { status: 200, headers: { ETag: '"1"', 'x-count': '7' }, body: { name: 'a', friends: [] } }],
    ['/user', { status: 404, type: 'application/problem+json', body: { error: 'none' } }],
    ['/gone', { status: 204 }],
    ['/text', { status: 200, body: 'abc' }],
    ['/animal', { status: 200, body: { kind: 'cat', lives: 9 } }],
    ['/news', { status: 200, body: [{ data: { name: 'a' } }, {}] }],
  ])('%s: %j is sent, and nothing is said', async (path, given) => {
    const { status, logged } = await answer(path, given, { replies: 'fail' });
    expect({ status, logged }).toEqual({ status: given.status, logged: [] });
  });
});

describe('a reply that does not', () => {
  const begin = 'does not keep to the contract:';
  test.each<[string, string, AnyReply, string]>([
    ['its body', '/user', wrong, `The reply 200 of getUser (GET /user) ${begin} the body lacks the field "name".`],
    [
      'a place in its body',
      '/user',
      { ...user, body: { name: 'a', friends: [{ name: 7 }] } },
      `The reply 200 of getUser (GET /user) ${begin} the body at /friends/0/name must be a string.`,
    ],
    [
      'its status',
      '/user',
      { ...user, status: 201 },
      `The reply 201 of getUser (GET /user) ${begin} its status is not documented.`,
    ],
    [
      'its media type',
      '/user',
      { ...user, type: 'text/html', body: '<p>' },
      `The reply 200 of getUser (GET /user) ${begin} its media type text/html is not documented.`,
    ],
    [
      'its headers',
      '/user',
      { status: 200, headers: { 'x-count': 70 }, body: { name: 'a' } },
      `The reply 200 of getUser (GET /user) ${begin} the header "ETag" is missing; the header "X-Count" must be at most 9.`,
    ],
    [
      'a body too many',
      '/gone',
      { status: 204, body: 'x' },
      `The reply 204 of getGone (GET /gone) ${begin} it is documented without a body.`,
    ],
    ['a body too few', '/text', { status: 200 }, `The reply 200 of getText (GET /text) ${begin} its body is missing.`],
    [
      'a text',
      '/text',
      { status: 200, body: 'abcd' },
      `The reply 200 of getText (GET /text) ${begin} the body must have at most 3 characters.`,
    ],
    [
      'what a discriminator decides',
      '/animal',
      { status: 200, body: { kind: 'dog', good: 7 } },
      `The reply 200 of getAnimal (GET /animal) ${begin} the body at /good must be a boolean.`,
    ],
  ])('%s: is 500 where it fails, and the log alone says why', async (_what, path, given, sentence) => {
    const { status, text, said } = await answer(path, given, { replies: 'fail' });
    expect(said).toMatchObject([{ level: 50, msg: sentence }]);
    expect({ status, text }).toEqual({
      status: 500,
      text: '{"error":"The reply does not keep to the contract; the log says in what."}',
    });
  });

  test('is sent as it is where it is logged', async () => {
    const { status, text, said } = await answer('/user', wrong, { replies: 'log' });
    expect({ status, text }).toEqual({ status: 200, text: JSON.stringify(wrong.body) });
    expect(said).toMatchObject([{ level: 40, operation: 'getUser', status: 200, problems: [expect.any(String)] }]);
    expect(JSON.stringify(said)).not.toContain('hush');
  });

  test('of items ends where it goes wrong', async () => {
    const events = [{ data: { name: 'a' } }, { data: { name: 7 } }];
    const failed = await answer('/news', { status: 200, body: events }, { replies: 'fail' });
    expect(failed).toMatchObject({
      text: 'reset',
      said: [{ msg: expect.stringContaining('item 2 at /name must be a string') }],
    });
    const logged = await answer('/news', { status: 200, body: events }, { replies: 'log' });
    expect(logged).toMatchObject({ text: expect.stringContaining('"name":7'), said: [{ level: 40 }] });
  });

  test('gives back what was ready for its body', async () => {
    let closed = 0;
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: true as const, value: undefined }),
        return: async () => ({ done: true as const, value: (closed += 1) }),
      }),
    };
    await answer('/news', { status: 202, body }, { replies: 'fail' });
    expect(closed).toBe(1);
  });
});

test.each([
  ['production', 0],
  ['test', 1],
])('where nothing is said, NODE_ENV decides: %s', async (environment, lines) => {
  vi.stubEnv('NODE_ENV', environment);
  const { status, said } = await answer('/user', wrong, { replies: undefined });
  expect({ status, lines: said.length }).toEqual({ status: 200, lines });
});

describe('trimmed, a reply', () => {
  const trimmed = async (path: string, body: unknown, replies: 'off' | 'fail' = 'fail'): Promise<unknown> => {
    const before = structuredClone(body);
    const { text } = await answer(path, { status: 200, headers: { etag: '' }, body }, { replies, trimReplies: true });
    expect(body).toEqual(before);
    return JSON.parse(text);
  };

  test('has what is documented, deep, and nothing that is for writing only', async () => {
    const stranger = { name: 'b', password: 'p', secret: 2 };
    expect(
      await trimmed('/user', {
        name: 'a',
        password: 'p',
        secret: 1,
        friends: [stranger],
        settings: { any: { thing: 1 } },
      }),
    ).toEqual({ name: 'a', friends: [{ name: 'b' }], settings: { any: { thing: 1 } } });
  });

  test('has the properties of the alternative that it is', async () => {
    expect(await trimmed('/animal', { kind: 'dog', good: true, lives: 9 })).toEqual({ kind: 'dog', good: true });
    expect(await trimmed('/choice', { b: 1, c: 2 })).toEqual({ b: 1 });
  });

  test('keeps those that a map, a pattern or a list of required ones asks for', async () => {
    expect(
      await trimmed('/open', { asked: 1, 'x-any': 2, no: 3, map: { one: { name: 'a', no: 4 }, own: { of: 5 } } }),
    ).toEqual({ asked: 1, 'x-any': 2, map: { one: { name: 'a' }, own: { of: 5 } } });
  });

  test('is trimmed also where nobody checks it, whatever it is', async () => {
    expect(await trimmed('/user', { totally: 'wrong', secret: 1 }, 'off')).toEqual({});
    expect(await trimmed('/choice', { c: 2 }, 'off')).toEqual({});
  });

  test('has its events trimmed', async () => {
    const body = [{ id: '1', data: { name: 'a', secret: 1 } }];
    const { text } = await answer('/news', { status: 200, body }, { trimReplies: true });
    expect(text).toBe(':\n\nid: 1\ndata: {"name":"a"}\n\n');
  });

  test('keeps to the contract wherever it did before', async () => {
    // As it comes out of JSON, which has no -0.
    const anything = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
      .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));
    let body: object = {};
    const app = await serveDocument(document, {
      replies: 'fail',
      trimReplies: true,
      handlers: { getUser: () => ({ status: 200, headers: { etag: '' }, body }) },
    });
    apps.push(app);
    await fc.assert(
      fc.asyncProperty(anything, async (more) => {
        const friend = { ...more, name: 'b', friends: [], settings: more };
        body = { ...friend, name: 'a', friends: [friend] };
        const response = await app.inject('/user');
        expect(response.json()).toEqual({
          name: 'a',
          settings: more,
          friends: [{ name: 'b', friends: [], settings: more }],
        });
      }),
    );
  });
});
