// @module-tag both-engines
import { once } from 'node:events';
import { get } from 'node:https';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { headerLines, rawRequest } from '../support/raw-request.ts';
import { basic, type Credentials, startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md, "Requests and errors", over HTTP, under their names. */

let server: TestServer;
let branchesPath: string;

beforeAll(async () => {
  server = await startTestServer();
  branchesPath = `${server.workspacePath}/branches/v1`;
});
afterAll(() => server.close());

const create = (name: unknown, as?: Credentials | null) =>
  server.call({ method: 'POST', path: branchesPath, json: { name }, ...(as === undefined ? {} : { as }) });

async function created(name: string): Promise<{ branchId: string; branchName: string; branchUrl: string }> {
  const answer = await create(name);
  expect(answer.status, answer.text).toBe(201);
  return JSON.parse(answer.text);
}

const rawCreate = (body: string, contentType: string | undefined = 'application/json', as?: null) =>
  server.call({
    method: 'POST',
    path: branchesPath,
    body,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    ...(as === undefined ? {} : { as }),
  });

const INVALID_NAME = /^Invalid branch name, try "[a-z0-9]+(-[a-z0-9]+)*" instead$/;

describe('Order of checks', () => {
  it.each(['{"name":', '[]', '{"name":"Not Kebab"}', ''])('an anonymous bad body is 401: %j', async (body) => {
    expectError(await rawCreate(body, 'application/json', null), 401, 'Unauthorized');
  });

  it('an anonymous body of a wrong media type, or too large, is 401', async () => {
    expectError(await rawCreate('name=x', 'text/plain', null), 401, 'Unauthorized');
    expectError(await rawCreate('x'.repeat(100_000), 'application/json', null), 401, 'Unauthorized');
  });

  it('a bad name that is taken too is 400, not 409', async () => {
    await created('order-of-checks');
    expectError(await create('Order-Of-Checks'), 400, 'Invalid branch name, try "order-of-checks-2" instead');
  });
});

describe('Share of strangers', () => {
  const WRONG = 200;

  const requestWith = (apiKey: string) =>
    'POST /inspector/batches/v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n' +
    `api-key: ${apiKey}\r\n\r\n{}`;

  it('many wrong secrets of a key hold up neither the health nor who has the right one, and keep out nobody', async () => {
    const statuses: string[] = [];
    const { port } = new URL(server.origin);
    const requests = [
      ...Array.from({ length: WRONG }, () => requestWith(server.apiKey.replace(/[^.]+$/, 'x'.repeat(43)))),
      requestWith(server.apiKey),
      'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n',
    ];
    const sockets = await Promise.all(
      requests.map(async () => {
        const socket = connect(Number(port), '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      }),
    );
    // So that the server knows the key.
    await server.call({
      method: 'POST',
      path: '/inspector/batches/v1',
      as: null,
      headers: { 'api-key': server.apiKey },
    });
    const answers = sockets.map(async (socket) => {
      const [bytes] = await once(socket, 'data');
      statuses.push(String(bytes).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
      socket.destroy();
    });
    for (const [index, socket] of sockets.entries()) socket.write(requests[index] ?? '');
    // The server runs in this thread, and is to find all of them at once: a busy kernel takes a while to hand them over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    await Promise.all(answers);
    expect(statuses.filter((status) => status === '401')).toHaveLength(WRONG);
    expect(statuses.indexOf('400')).toBeLessThan(WRONG / 2);
    expect(statuses.indexOf('400')).toBeGreaterThanOrEqual(0);
    expect(statuses.indexOf('200')).toBeLessThan(WRONG / 2);
  });
});

describe('Errors', () => {
  it('an unknown path is 404', async () => expectError(await server.call({ path: '/nothing/here' }), 404));

  it('an unknown path is 404 whatever the method', async () => {
    expectError(
      await server.call({ method: 'DELETE', path: '/nothing/here', body: '{', headers: { 'content-type': 'x' } }),
      404,
    );
  });

  it.each(['PATCH', 'DELETE', 'PUT', 'OPTIONS'])(
    'a method that the path has not is 405 with Allow: %s',
    async (method) => {
      const answer = await server.call({ method, path: branchesPath, as: null });
      expectError(answer, 405);
      expect(answer.headers.allow?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
    },
  );

  it.each(['PROPFIND', 'PURGE', 'QUERY', 'TRACE'])('however rare the method, it is 405: %s', async (method) => {
    expectError(await server.call({ method, path: branchesPath, as: null }), 405);
  });

  it.each(['/livez', '/readyz', '/docs', '/docs/openapi.json'])('also beside the contract: %s', async (path) => {
    for (const method of ['POST', 'M-SEARCH', 'PURGE']) {
      const answer = await server.call({ method, path, as: null });
      expectError(answer, 405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
  });

  it.each([
    ['no host', [], 400],
    ['two hosts', ['host', 'a', 'host', 'b'], 400],
    ['an expectation that nobody knows', ['host', 'a', 'expect', 'gifts'], 417],
  ])('%s', async (_what, headers, status) => {
    const answer = await rawRequest(
      server.origin,
      `GET /livez HTTP/1.1\r\n${headerLines(headers)}connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nx-request-id: /i);
    expect(answer).toMatch(/\{"error":".+"\}/);
  });

  it('what is refused before it is a request is as safe in a browser as all else', async () => {
    const { headers } = await server.call({ path: '/nothing', as: null });
    const own = ['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'x-request-id'];
    // An answer to GET may be kept.
    own.push('cache-control', 'vary');
    const safety = Object.entries(headers).filter(([name]) => !own.includes(name));
    expect(safety.length).toBeGreaterThan(2);
    for (const request of ['nonsense\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n']) {
      const answer = await rawRequest(server.origin, request);
      for (const [name, value] of safety) expect(answer).toContain(`\r\n${name}: ${String(value)}\r\n`);
    }
  });

  it('HEAD of what is not there has the length that GET has', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => server.call({ method, path: '/nothing', as: null })),
    );
    expect(head?.headers['content-length']).toBe(get?.headers['content-length']);
  });

  it('CONNECT is 405', async () => {
    const answer = await rawRequest(server.origin, 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 405 [^]*\{"error":"This server is no proxy\."\}$/);
  });

  const nowhere = ['GET *', 'OPTIONS *', 'GET *?a=b', 'GET http://', 'GET http:///livez', 'GET https://?'];
  const noUrl = [
    'GET http://1.2.3.4.5/livez',
    'GET http://[::1/livez',
    'GET http://a:b:c/',
    'GET http://x:99999/livez',
  ];
  it.each([...nowhere, ...noUrl])('%s, which names no path, is 400', async (line) => {
    const answer = await rawRequest(server.origin, `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*\{"error":"A request must name a path, such as \\"\/\\"."\}$/);
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
  });

  it('a very long id is an unknown one', async () => {
    const answer = await server.call({ path: `/workspaces/${'x'.repeat(5_000)}/branches/v1` });
    expectError(answer, 401, 'Unauthorized');
  });

  it('a path that is no URL is 400', async () =>
    expectError(await server.call({ path: '/workspaces/%zz/branches/v1' }), 400));

  it('an oversized body is 413', async () => {
    expectError(await rawCreate(JSON.stringify({ name: 'a'.repeat(65_536) })), 413);
  });

  it('an oversized body that hides its length is 413', async () => {
    const answer = await server.call({
      method: 'POST',
      path: branchesPath,
      body: JSON.stringify({ name: 'a'.repeat(65_536) }),
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    });
    expectError(answer, 413);
  });

  it('a crash is 500, and says nothing of its cause', async () => {
    const broken = await startTestServer();
    await broken.administration.storage.db.schema.alterTable('branches').renameColumn('created_at', 'gone').execute();
    const answer = await broken.call({ method: 'POST', path: branchesPath, json: { name: 'a' } });
    expectError(answer, 500);
    expect(answer.text).not.toMatch(/table|sqlite|branches/i);
    await broken.close();
  });

  it('every response carries a request id, the client’s own if it is a decent one', async () => {
    const own = await server.call({ path: branchesPath, headers: { 'x-request-id': 'build-42.1' } });
    expect(own.headers['x-request-id']).toBe('build-42.1');
    const unroutable = await server.call({ path: '/%zz', headers: { 'x-request-id': 'build-42.2' } });
    expect(unroutable.headers['x-request-id']).toBe('build-42.2');
    const bad = await server.call({ path: '/nothing', headers: { 'x-request-id': 'a b'.repeat(100) } });
    expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('401 carries WWW-Authenticate', async () => {
    const answer = await create('a', null);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Branchline", charset="UTF-8"');
  });
});

describe('400 of Create Branch', () => {
  it.each([
    '{"name":123}',
    '{"name":null}',
    '{"name":true}',
    '{"name":["a"]}',
    '{"name":{}}',
    '{"name":""}',
    '{}',
    '[]',
    '""',
    '"a"',
    'null',
    '',
    '{"name":"a"',
    '{"name":"a"}}',
    '{"name":"a","name":"b"}',
    '{"name":"a","name":"a"}',
    '{"name":"a","n\\u0061me":"b"}',
    '{"x":{"y":1,"y":2},"name":"a"}',
    '{"name":"Not Kebab"}',
    '{"name":"a\\n"}',
    '{"name":"ä"}',
    '{"name":"\\ud800"}',
    `{"name":"${'a'.repeat(256)}"}`,
    `{"name":"a","deep":${'['.repeat(100)}${']'.repeat(100)}}`,
  ])('answers the documented sentence: %s', async (body) => {
    expectError(await rawCreate(body), 400, INVALID_NAME);
  });

  it('answers it for bytes that are not UTF-8, and for no body at all', async () => {
    const latin1 = Buffer.from('{"name":"caf\xe9"}', 'latin1');
    const answer = await server.call({
      method: 'POST',
      path: branchesPath,
      body: latin1,
      headers: { 'content-type': 'application/json' },
    });
    expectError(answer, 400, INVALID_NAME);
    expectError(await server.call({ method: 'POST', path: branchesPath }), 400, INVALID_NAME);
  });

  it('suggests a name that then works', async () => {
    const refused = await create('Suggested: Ünïcode Näme!');
    const suggestion = /try "([^"]+)"/.exec(refused.text.replaceAll('\\"', '"'))?.[1];
    expect(suggestion).toBe('suggested-unicode-name');
    await created(suggestion ?? '');
  });
});

it.each(['a', '-', '--', '-a-', 'a--b', '0', 'a'.repeat(255)])('Valid name: %s is one', async (name) => {
  expect((await created(name)).branchName).toBe(name);
});

describe('Suggested name', () => {
  it.each([
    ['Ünïcode Näme', 'unicode-name'],
    ['深圳 feature', 'shen-zhen-feature'],
    ['  --Fix  A__B-- ', 'fix-a-b'],
    ['???', 'new-branch'],
  ])('%j → %j', async (asked, suggested) => {
    expectError(await create(asked), 400, `Invalid branch name, try "${suggested}" instead`);
  });

  it('is free among the open branches', async () => {
    await created('taken-name');
    await created('taken-name-2');
    expectError(await create('Taken Name'), 400, 'Invalid branch name, try "taken-name-3" instead');
  });
});

it('Unknown body fields are ignored, whatever they are called', async () => {
  const body = '{"name":"with-more","colour":"red","__proto__":{"name":1},"constructor":null}';
  expect((await rawCreate(body)).status).toBe(201);
});

describe('Media type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;charset="utf-8";charset=utf-16',
    'application/jsonx',
    'json',
    '',
  ])('%j is 415', async (type) => expectError(await rawCreate('{"name":"media"}', type), 415));

  it('none with a body is 415', async () => {
    expectError(await server.call({ method: 'POST', path: branchesPath, body: '{"name":"media"}' }), 415);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('%j is taken', async (type) => {
    const name = `media-${Buffer.from(type).toString('hex')}`;
    expect((await rawCreate(JSON.stringify({ name }), type)).status).toBe(201);
  });

  it.each([
    ['application/json', 'application/json; charset=utf-16'],
    ['text/plain', 'application/json'],
  ])('in two headers is 415: %s, %s', async (first, second) => {
    const headers = ['host', 'x', 'content-type', first, 'Content-Type', second, 'connection', 'close'];
    const answer = await rawRequest(
      server.origin,
      `POST ${branchesPath} HTTP/1.1\r\nauthorization: ${basic(server.account)}\r\n${headerLines([...headers, 'content-length', '2'])}\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 415 [^]*twice/);
  });

  it('an encoded body is 415 where none is documented', async () => {
    const answer = await server.call({
      method: 'POST',
      path: branchesPath,
      body: gzipSync('{"name":"zipped"}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expectError(answer, 415);
  });
});

it('HEAD answers wherever GET does, without a body', async () => {
  for (const path of [branchesPath, `${server.workspacePath}/branches/export/v1`]) {
    const answer = await server.call({ method: 'HEAD', path });
    expect(answer.status).toBe(200);
    expect(answer.bytes).toHaveLength(0);
  }
});

it('HEAD of the export runs no query', async () => {
  const broken = await startTestServer();
  await broken.administration.storage.db.schema.alterTable('branches').renameColumn('created_at', 'gone').execute();
  const path = `${broken.workspacePath}/branches/export/v1`;
  const answer = await broken.call({ method: 'HEAD', path });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect((await broken.call({ path })).status).toBe(500);
  await broken.close();
});

describe('TLS', () => {
  it('is answered on the port of plain HTTP, and asks browsers for nothing that a self-signed certificate could not keep', async () => {
    expect((await server.call({ path: '/livez' })).status).toBe(200);
    const url = `${server.origin.replace('http:', 'https:')}/livez`;
    const [answer] = await once(get(url, { rejectUnauthorized: false, agent: false }), 'response');
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  });
});
