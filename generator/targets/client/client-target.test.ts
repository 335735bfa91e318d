import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientModule, generateClient, importClient, type LooseClient } from './testing/generated-client.ts';
import { compile } from '../../testing/compile.ts';
import { temporaryFolder } from '../../testing/generated-server.ts';

const spec = fileURLToPath(new URL('testing/shelf.yaml', import.meta.url));
const folder = temporaryFolder();
let generated: ClientModule;
let server: Server;
let origin: string;
/** How the server answers the next request. */
let answer: RequestListener;

beforeAll(async () => {
  const { path } = await folder;
  await generateClient(spec, path);
  generated = await importClient(path);
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await (await folder)[Symbol.asyncDispose]();
});

interface Sent {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Calls with a client, and gives what the server got. */
async function sentBy(call: (client: LooseClient) => Promise<unknown>, options: object = {}): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>();
  answer = (request, response) => {
    const { method, url, headers } = request;
    text(request).then((body) => {
      resolve({ method, url, headers, body });
      response.writeHead(204).end();
    }, resolve);
  };
  // Whether 204 is documented is not what is asked here.
  call(generated.createClient({ baseUrl: origin, ...options })).catch(() => {});
  return promise;
}

type Came = [status: number, type: string | undefined, body: string | undefined];

function answered(...[status, type, body]: Came): void {
  answer = (_request, response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body);
  };
}

const call = (client: LooseClient, operation: string, request?: object, options?: object) => {
  const method = client[operation];
  if (method === undefined) throw new Error(`There is no ${operation}.`);
  return method(request, options);
};
const listBooks = (request: object = {}, options?: object) =>
  call(generated.createClient({ baseUrl: origin }), 'listBooks', { params: { shelf: 's' }, ...request }, options);

describe('a request', () => {
  test('has its parameters where the contract wants them, and asks for what it documents', async () => {
    const request = {
      params: { shelf: 'a/b c?&$&' },
      query: { tag: ['x', 'y&z'], where: { a: ['é'] } },
      headers: { 'X-Trace': 7 },
      cookies: { theme: 'dark; ok' },
    };
    const sent = await sentBy((client) => call(client, 'listBooks', request), { baseUrl: `${origin}/v2/` });
    expect(sent.url).toBe(
      '/v2/shelves/a%2Fb%20c%3F%26%24%26/books?tag=x&tag=y%26z&where=%7B%22a%22%3A%5B%22%C3%A9%22%5D%7D',
    );
    expect(sent.headers).toMatchObject({
      'x-trace': '7',
      cookie: 'theme=dark%3B%20ok',
      accept: 'application/json, text/csv, application/problem+json',
    });
  });

  test.each([['.'], ['..']])('can not have a segment %s', async (shelf) => {
    await expect(listBooks({ params: { shelf } })).rejects.toThrow('a segment of dots alone');
  });
  test.each([[''], [undefined]])('can not do without a path parameter (%s)', async (shelf) => {
    await expect(listBooks({ params: { shelf } })).rejects.toThrow(/The path parameter "shelf" is (empty|missing)\./);
  });

  test.each([
    {
      what: 'JSON, without saying so',
      request: { body: { title: 'é' } },
      type: 'application/json',
      body: '{"title":"é"}',
    },
    {
      what: 'a form, each field by its style',
      request: {
        type: 'application/x-www-form-urlencoded',
        body: { title: 'a&b', authors: ['x', 'y'], size: { pages: 7 }, colors: ['r', 'g'], left: undefined },
      },
      type: 'application/x-www-form-urlencoded',
      body: 'title=a%26b&authors=x&authors=y&size=%7B%22pages%22%3A7%7D&colors=r%7Cg',
    },
    { what: 'text', request: { type: 'text/plain', body: 'as it is' }, type: 'text/plain', body: 'as it is' },
  ])('carries $what', async ({ request, type, body }) => {
    const sent = await sentBy((client) => call(client, 'addBook', { params: { shelf: 's' }, ...request }));
    expect({ type: sent.headers['content-type'], body: sent.body }).toEqual({ type, body });
  });

  test('carries bytes, a stream, a form with files, or nothing', async () => {
    const put = (request: object) =>
      sentBy((client) => call(client, 'putCover', { params: { book: 'b' }, ...request }));
    const bytes = await put({ type: 'image/png', body: new Uint8Array([80, 78, 71]) });
    expect(bytes).toMatchObject({ headers: { 'content-type': 'image/png' }, body: 'PNG' });
    const stream = await put({ type: 'image/png', body: new Blob(['PN', 'G']).stream() });
    expect(stream).toMatchObject({ headers: { 'content-type': 'image/png' }, body: 'PNG' });
    const form = new FormData();
    form.set('cover', new Blob(['PNG']), 'cover.png');
    const files = await put({ type: 'multipart/form-data', body: form });
    expect(files.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(files.body).toContain('filename="cover.png"');
    expect(await put({})).toMatchObject({ body: '' });
  });

  test('has the headers of the client and of the call, which win', async () => {
    const init = { headers: { 'x-a': 'client', 'x-b': 'client', accept: 'text/csv' } };
    const request = { params: { shelf: 's' } };
    const sent = await sentBy((client) => call(client, 'listBooks', request, { headers: { 'x-b': 'call' } }), { init });
    expect(sent.headers).toMatchObject({ 'x-a': 'client', 'x-b': 'call', accept: 'text/csv' });
  });

  test('goes through the fetch that is given', async () => {
    const urls: string[] = [];
    const fetchGiven = async (url: string) => {
      urls.push(url);
      return new Response(null, { status: 204 });
    };
    const client = generated.createClient({ baseUrl: '', fetch: fetchGiven });
    expect(await call(client, 'putCover', { params: { book: 'b' } })).toMatchObject({ status: 204, body: undefined });
    expect(urls).toEqual(['/covers/b']);
  });
});

describe('who calls', () => {
  const list = (auth: object) => sentBy((client) => call(client, 'listBooks', { params: { shelf: 's' } }), { auth });
  const add = (auth: object) =>
    sentBy((client) => call(client, 'addBook', { params: { shelf: 's' }, body: { title: 't' } }), { auth });

  test('is nobody where nothing is given', async () => {
    expect((await list({})).headers.authorization).toBeUndefined();
  });
  test('has a name and a password, in UTF-8', async () => {
    const { headers } = await list({ basic: { username: 'ci', password: 'gehéim:' }, token: 'unused' });
    expect(headers.authorization).toBe(`Basic ${Buffer.from('ci:gehéim:').toString('base64')}`);
  });
  test('has a token, which is asked for with each request', async () => {
    let count = 0;
    const token = async () => `t${(count += 1)}`;
    expect((await list({ token })).headers.authorization).toBe('Bearer t1');
  });
  test('has keys in all their places, for the first alternative that is given whole', async () => {
    const both = await add({ keyInHeader: 'h', keyInQuery: 'q&', keyInCookie: 'c' });
    expect(both).toMatchObject({ url: '/shelves/s/books?key=q%26', headers: { 'x-key': 'h' } });
    expect(both.headers.cookie).toBeUndefined();
    const other = await add({ keyInHeader: 'h', keyInCookie: 'c' });
    expect(other).toMatchObject({ url: '/shelves/s/books', headers: { cookie: 'key=c' } });
    expect(other.headers['x-key']).toBeUndefined();
  });
});

describe('an answer', () => {
  test('of JSON is parsed, and has its type where there are several', async () => {
    answered(200, 'application/json; charset=utf-8', '[{"title":"a"}]');
    expect(await listBooks()).toMatchObject({ status: 200, type: 'application/json', body: [{ title: 'a' }] });
  });
  test('of a class of statuses is documented', async () => {
    answered(418, 'application/problem+json', '{"error":"no"}');
    expect(await listBooks()).toMatchObject({ status: 418, body: { error: 'no' } });
  });
  test('of application/json fits where application/problem+json is documented', async () => {
    answered(404, 'application/json', '{"error":"no"}');
    expect(await listBooks()).toMatchObject({ status: 404, body: { error: 'no' } });
  });
  test('that has no body is documented without one', async () => {
    answered(500, 'text/html', '<h1>');
    expect(await listBooks()).toMatchObject({ status: 500, body: undefined });
    answered(304, undefined, undefined);
    expect(await listBooks()).toMatchObject({ status: 304, body: undefined });
    answered(200, 'application/json', undefined);
    expect(await call(generated.createClient({ baseUrl: origin }), 'checkHealth')).toMatchObject({ status: 200 });
  });
  test('of any type is JSON where the schema says more than a text', async () => {
    answered(200, 'application/vnd.x+json', '{"error":"none"}');
    const body = { error: 'none' };
    expect(await call(generated.createClient({ baseUrl: origin }), 'getHealth')).toMatchObject({ body });
  });
  test('that redirects, where that is documented, is not followed', async () => {
    answer = (_request, response) => response.writeHead(303, { location: '/elsewhere' }).end();
    const client = generated.createClient({ baseUrl: origin });
    const { status, headers } = await call(client, 'addBook', { params: { shelf: 's' }, body: { title: 't' } });
    expect({ status, location: headers.get('location') }).toEqual({ status: 303, location: '/elsewhere' });
  });

  test('of bytes is handed over unread, and can be read while it is sent', async () => {
    const { promise: goOn, resolve: readFirst } = Promise.withResolvers<void>();
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write('first ');
      goOn.then(() => response.end('last'), readFirst);
    };
    const { body } = await call(generated.createClient({ baseUrl: origin }), 'getCover', { params: { book: 'b' } });
    const chunks: string[] = [];
    for await (const chunk of (body as Response).body ?? []) {
      chunks.push(Buffer.from(chunk).toString());
      readFirst();
    }
    expect(chunks).toEqual(['first ', 'last']);
  });

  test('of events is read one by one, with data as the contract describes it', async () => {
    const read = async (operation: string, text: string) => {
      answered(200, 'text/event-stream; charset=utf-8', text);
      const { body } = await call(generated.createClient({ baseUrl: origin }), operation);
      return Array.fromAsync(body as AsyncIterable<unknown>);
    };
    const text = 'data: {"title":"a"}\n\n';
    expect(await read('watchArrivals', text)).toEqual([{ event: 'message', data: { title: 'a' } }]);
    expect(await read('hearAnnouncements', text)).toEqual([{ event: 'message', data: '{"title":"a"}' }]);
    await expect(read('watchArrivals', 'data: {"title"\n\n')).rejects.toThrow(
      'watchArrivals was answered 200 with an event that is not JSON.',
    );
  });

  test('that does not come is waited for until the signal says otherwise', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    await expect(listBooks({}, { signal: controller.signal })).rejects.toThrow(/abort/);
  });

  test.each<{ what: string; operation: string; came: Came; problem: string }>([
    {
      what: 'of another status',
      operation: 'getCover',
      came: [503, 'text/html', '<h1>Busy</h1>'],
      problem: 'getCover was answered 503, which the contract does not document.',
    },
    {
      what: 'of another type',
      operation: 'getCover',
      came: [200, 'text/html', '<h1>Sign in</h1>'],
      problem: 'getCover was answered 200 as text/html; the contract documents image/*.',
    },
    {
      what: 'of broken JSON',
      operation: 'listBooks',
      came: [200, 'application/json', '[{"title":'],
      problem: 'listBooks was answered 200 with a body that is not JSON.',
    },
    {
      what: 'without a type where there are several',
      operation: 'listBooks',
      came: [200, undefined, '[]'],
      problem: 'listBooks was answered 200 as an unknown type; the contract documents application/json, text/csv.',
    },
  ])('$what is an error that keeps the body', async ({ operation, came, problem }) => {
    answered(...came);
    const client = generated.createClient({ baseUrl: origin });
    const error: unknown = await call(client, operation, { params: { book: 'b', shelf: 's' } }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(generated.AnswerError);
    expect(error).toMatchObject({ operation, status: came[0], message: problem });
    const { response, text: read } = error as { response: Response; text?: string };
    expect(read ?? (await response.text())).toBe(came[2]);
  });
});

describe('the types', () => {
  const use = `import { createClient } from './client/generated/client.ts';
const client = createClient({ baseUrl: '', auth: { basic: { username: 'a', password: () => 'b' }, token: 'c' } });
const books = await client.listBooks({ params: { shelf: 's' }, query: { tag: ['a'] } });
if (books.status === 200 && books.type === 'application/json') books.body[0]?.pages?.toFixed();
if (books.status === 200 && books.type === 'text/csv') await books.body.text();
if (books.status === 404) books.body.error.trim();
await client.addBook({ params: { shelf: 's' }, body: { title: 't' } });
await client.checkHealth();
for await (const { data } of (await client.watchArrivals()).body) data.title.trim();
for await (const { data } of (await client.hearAnnouncements()).body) data.trim();
await client.putCover({ params: { book: 'b' }, type: 'image/png', body: new Uint8Array() });
`;
  const misuses = [
    { what: 'a parameter that is missing', code: 'client.listBooks({ params: {} });', says: "'shelf'" },
    { what: 'a request that is missing', code: 'client.listBooks();', says: 'Expected 1-2 arguments' },
    {
      what: 'a body of another type',
      code: "client.addBook({ params: { shelf: 's' }, body: { title: 7 } });",
      says: "'number' is not assignable to type 'string'",
    },
    {
      what: 'a status that is not documented',
      code: "if ((await client.putCover({ params: { book: 'b' } })).status === 201) books;",
      says: 'no overlap',
    },
    {
      what: 'a field that the data of events does not have',
      code: 'for await (const { data } of (await client.watchArrivals()).body) data.author;',
      says: "'author'",
    },
    { what: 'a scheme that there is not', code: "createClient({ baseUrl: '', auth: { no: 'x' } });", says: "'no'" },
    {
      what: 'a body whose type is open',
      code: "client.putCover({ params: { book: 'b' }, body: 'x' });",
      says: "'PutCoverRequest'",
    },
    { what: 'a field before the status is looked at', code: 'books.body.error;', says: 'possibly' },
  ];

  test('let what fits compile, under strict options', async () => {
    const { path } = await folder;
    await writeFile(join(path, 'use.ts'), use);
    expect(await compile(path)).toBe('');
  });

  test('refuse what does not', async () => {
    const { path } = await folder;
    await writeFile(join(path, 'use.ts'), use + misuses.map(({ code }) => `${code}\n`).join(''));
    const complaints = (await compile(path)).split('\n');
    const first = use.split('\n').length;
    for (const [index, { what, says }] of misuses.entries()) {
      const line = complaints.find((complaint) => complaint.startsWith(`use.ts(${first + index},`));
      expect({ what, line }).toEqual({ what, line: expect.stringContaining(says) });
    }
  });
});
