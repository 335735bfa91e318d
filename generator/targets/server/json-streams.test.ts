import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import type { AnyReply } from '../../../test/support/application.ts';
import { generateClient, importClient, type LooseClient } from '../client/testing/generated-client.ts';
import { compile } from '../../testing/compile.ts';
import { generateServer, temporaryFolder } from '../../testing/generated-server.ts';
import { contractFrom, serveDocument } from '../../testing/served-contract.ts';
import { makeExampleReply } from './example-reply.ts';

const row = { $ref: '#/components/schemas/Row' };
const list = { schema: { type: 'array', items: row } };
const answerWith = (content: object) => ({ 200: { description: 'Rows', content } });
const summary = { 'application/json': { schema: {} } };

const document = {
  openapi: '3.1.0',
  info: { title: 'Rows', version: '1' },
  paths: {
    '/lines': {
      get: { operationId: 'readLines', responses: answerWith({ 'application/x-ndjson': list }) },
      post: {
        operationId: 'sendLines',
        requestBody: {
          required: true,
          'x-branchline-max-body-bytes': 3_000_000,
          'x-branchline-encodings': ['gzip'],
          content: { 'application/x-ndjson': { schema: row } },
        },
        responses: answerWith(summary),
      },
    },
    '/records': {
      get: { operationId: 'readRecords', responses: answerWith({ 'application/json-seq': { itemSchema: row } }) },
      post: {
        operationId: 'sendRecords',
        requestBody: { content: { 'application/json-seq': { itemSchema: row }, 'application/jsonl': {} } },
        responses: answerWith(summary),
      },
    },
  },
  components: {
    schemas: {
      Row: { type: 'object', required: ['n'], properties: { n: { type: 'integer' }, text: { type: 'string' } } },
    },
  },
};

type Handle = (body: AsyncIterable<unknown>) => AnyReply | Promise<AnyReply>;

const out = temporaryFolder();
let app: FastifyInstance;
let address: string;
let client: LooseClient;
let rows: Iterable<unknown> | AsyncIterable<unknown>;
let handle: Handle;
const readAll: Handle = async (body) => ({ status: 200, body: await Array.fromAsync(body) });

beforeAll(async () => {
  const read = (): AnyReply => ({ status: 200, body: rows });
  const take = ({ body }: { body: unknown }) => handle(body as AsyncIterable<unknown>);
  const handlers = { readLines: read, readRecords: read, sendLines: take, sendRecords: take };
  app = await serveDocument(document, { handlers, replies: 'fail' });
  address = await app.listen({ port: 0 });
  const { path } = await out;
  await writeFile(join(path, 'spec.json'), JSON.stringify(document));
  await generateServer(join(path, 'spec.json'), path);
  await generateClient(join(path, 'spec.json'), path);
  client = (await importClient(path)).createClient({ baseUrl: address });
});
afterAll(async () => {
  await app.close();
  await (await out)[Symbol.asyncDispose]();
});

async function post(body: string | Buffer, type = 'application/x-ndjson', headers = {}) {
  const path = type === 'application/x-ndjson' ? '/lines' : '/records';
  const response = await fetch(address + path, { method: 'POST', body, headers: { 'content-type': type, ...headers } });
  return { status: response.status, body: await response.json() };
}

describe('a reply of items', () => {
  test.each([
    ['/lines', '{"n":1}\n{"n":2}\n', 'application/x-ndjson'],
    ['/records', '\u001E{"n":1}\n\u001E{"n":2}\n', 'application/json-seq'],
  ])('%s: has each in its line', async (path, text, type) => {
    rows = [{ n: 1 }, { n: 2 }];
    const response = await fetch(address + path);
    expect({ type: response.headers.get('content-type'), text: await response.text() }).toEqual({ type, text });
  });

  test('is made no faster than it is read, and ends when the client leaves', async () => {
    let made = 0;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    rows = (async function* () {
      try {
        for (;;) yield { n: (made += 1), text: 'x'.repeat(100_000) };
      } finally {
        end();
      }
    })();
    const socket = connect((app.server.address() as AddressInfo).port);
    socket.write('GET /lines HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(socket, 'readable');
    // All that is between the two fits few of them.
    expect(made).toBeLessThan(1_000);
    socket.destroy();
    await ended;
  });

  test('is an error where the first fails, and no whole answer where a later one does', async () => {
    rows = [{ n: 'one' }];
    expect((await fetch(`${address}/lines`)).status).toBe(500);
    rows = [{ n: 1 }, { n: 'two' }];
    await expect(fetch(`${address}/lines`).then((response) => response.text())).rejects.toThrow();
  });

  test('begins as a list of one example', async () => {
    const contract = await contractFrom(document);
    const replies = contract.operations.map((operation) => makeExampleReply(contract, operation));
    expect([replies[0]?.body, replies[2]?.body]).toEqual([
      [{ n: expect.any(Number), text: expect.any(String) }],
      [{ n: expect.any(Number), text: expect.any(String) }],
    ]);
  });
});

describe('a request of items', () => {
  test('is read one by one', async () => {
    handle = readAll;
    const body = [{ n: 1 }, { n: 2, text: 'é' }];
    expect(await post('{"n":1}\r\n\n{"n":2,"text":"é"}')).toEqual({ status: 200, body });
    expect(await post('\u001E{"n":1}\n\u001E{\n"n":2,"text":"é"}\n', 'application/json-seq')).toEqual({
      status: 200,
      body,
    });
    expect(await post(gzipSync('{"n":1}\n'), undefined, { 'content-encoding': 'gzip' })).toMatchObject({
      body: [{ n: 1 }],
    });
    expect(await post('', 'application/jsonl')).toEqual({ status: 200, body: [] });
    expect(await post('1\n"a"\nnull', 'application/jsonl')).toEqual({ status: 200, body: [1, 'a', null] });
  });

  test.each([
    ['{"n":1}\n{"n":"two"}', 400, 'The field "n" of item 2 of the body must be an integer.'],
    ['{}', 400, 'Item 1 of the body lacks the field "n".'],
    ['{"n":1}\n{"n":', 400, 'Item 2 of the body is not valid JSON.'],
    [`{"n":1,"text":"${'x'.repeat(1_048_577)}"}`, 413, 'An item of the body must not exceed 1048576 bytes.'],
    ['{"n":1}\n'.repeat(400_000), 413, 'The body must not exceed 3000000 bytes.'],
  ])('is refused where one does not fit: %.20s', async (text, status, error) => {
    handle = readAll;
    expect(await post(text)).toMatchObject({ status, body: { error } });
  });

  test('may be answered before its end', async () => {
    handle = async (body) => {
      for await (const first of body) return { status: 200, body: first };
      return { status: 200, body: 'none' };
    };
    expect(await post('{"n":1}\n'.repeat(300_000))).toEqual({ status: 200, body: { n: 1 } });
    handle = () => ({ status: 200, body: 'unread' });
    expect(await post('{"n":1}\n'.repeat(300_000))).toEqual({ status: 200, body: 'unread' });
  });

  test('that breaks off is an error for the handler', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    handle = async (body) => {
      await Array.fromAsync(body).catch(resolve);
      return { status: 200, body: 'none' };
    };
    const socket = connect((app.server.address() as AddressInfo).port);
    socket.write(
      'POST /lines HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-ndjson\r\ncontent-length: 99\r\n\r\n{"n":1}\n',
    );
    await once(socket, 'connect');
    socket.end();
    expect(await promise).toMatchObject({ message: 'The body broke off.', kind: 'body' });
    socket.destroy();
  });
});

describe('a client', () => {
  test('reads what a server makes, and sends what it reads', async () => {
    const anyRows = fc.array(fc.record({ n: fc.integer(), text: fc.string({ unit: 'grapheme' }) }));
    await fc.assert(
      fc.asyncProperty(anyRows, fc.constantFrom('Lines', 'Records'), fc.boolean(), async (given, what, isStream) => {
        rows = given;
        const { body } = (await client[`read${what}`]?.()) ?? {};
        expect(await Array.fromAsync(body as AsyncIterable<unknown>)).toEqual(given);
        handle = readAll;
        const sent = isStream ? Readable.from(given) : given;
        expect(await client[`send${what}`]?.({ body: sent })).toMatchObject({ status: 200, body: given });
      }),
      { numRuns: 30 },
    );
  });
});

test('the types say what items are', async () => {
  const { path } = await out;
  const use = `import type { Handlers } from './server/generated/handlers.ts';
import { createClient } from './client/generated/client.ts';
const client = createClient({ baseUrl: '' });
async function* rows() { yield { n: 1 }; }
`;
  const right = `${use}export const handlers: Pick<Handlers, 'readLines' | 'sendLines' | 'readRecords'> = {
  readLines: () => ({ status: 200, body: rows() }),
  readRecords: () => ({ status: 200, body: [{ n: 1 }] }),
  sendLines: async ({ body }) => { let sum = 0; for await (const { n } of body) sum += n; return { status: 200, body: sum }; },
};
for await (const { n } of (await client.readRecords()).body) n.toFixed();
await client.sendLines({ body: rows() });
await client.sendRecords({ body: [{ n: 1 }] });
`;
  const wrong = `${use}export { rows };
export const read: Handlers['readLines'] = () => ({ status: 200, body: [{ n: 'one' }] });
await client.sendLines({ body: [{ n: 'one' }] });
`;
  await writeFile(join(path, 'right.ts'), right);
  await writeFile(join(path, 'wrong.ts'), wrong);
  const complaints = (await compile(path)).split('\n').filter((line) => /^\S+\.ts\(/.test(line));
  expect(complaints).toEqual([
    expect.stringMatching(/^wrong\.ts\(6.* not assignable to type 'ItemStream</),
    expect.stringMatching(/^wrong\.ts\(7.* not assignable to type 'Items</),
  ]);
});

test('itemSchema is understood where it stands for a JSON stream', async () => {
  const { path } = await out;
  const { warnings } = await loadContract(join(path, 'spec.json'), { strict: true });
  expect(warnings).toEqual([]);
});
