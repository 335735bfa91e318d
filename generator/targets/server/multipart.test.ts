import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { UploadedFile } from '@branchline/runtime';
import type { AnyReply } from '../../../test/support/application.ts';
import { generateClient, importClient } from '../client/testing/generated-client.ts';
import { compile } from '../../testing/compile.ts';
import { generateServer, temporaryFolder } from '../../testing/generated-server.ts';
import { serveDocument } from '../../testing/served-contract.ts';

const LIMIT = 200_000;

const schema = {
  type: 'object',
  required: ['title', 'cover'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 2 },
    year: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
    meta: { $ref: '#/components/schemas/Meta' },
    notes: { type: 'array', items: { $ref: '#/components/schemas/Meta' } },
    owner: { type: 'object', properties: { age: { type: 'integer' } } },
    cover: { type: 'string', format: 'binary', maxLength: 50_000 },
    pages: { type: 'array', maxItems: 3, items: { type: 'string', contentMediaType: 'application/octet-stream' } },
    raw: {},
  },
};

const upload = (content: object) => ({
  required: true,
  'x-branchline-max-body-bytes': LIMIT,
  'x-branchline-encodings': ['gzip'],
  content: { 'multipart/form-data': content },
});

const document = {
  openapi: '3.1.0',
  info: { title: 'Uploads', version: '1' },
  paths: {
    '/books': {
      post: {
        operationId: 'addBook',
        requestBody: upload({
          schema: { $ref: '#/components/schemas/Book' },
          encoding: {
            cover: { contentType: 'image/png, image/jpeg' },
            sizes: { style: 'form', explode: false },
            owner: { style: 'deepObject', explode: true },
          },
        }),
        responses: { 200: { description: 'Added', content: { 'application/json': {} } } },
      },
    },
    '/anything': {
      post: {
        operationId: 'takeAnything',
        requestBody: upload({}),
        responses: { 200: { description: 'Taken', content: { 'application/json': {} } } },
      },
    },
  },
  components: {
    schemas: {
      Book: schema,
      Meta: { type: 'object', required: ['by'], properties: { by: { type: 'string' }, at: { type: 'integer' } } },
    },
  },
};

/** What a handler saw, with files read. */
async function show(value: unknown): Promise<unknown> {
  if (value instanceof UploadedFile) {
    const { filename, mediaType, size } = value;
    const hash = createHash('sha256');
    for await (const chunk of value.stream()) hash.update(chunk);
    return { filename, mediaType, size, sha256: hash.digest('hex') };
  }
  if (Array.isArray(value)) return Promise.all(value.map(show));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(async ([name, member]) => [name, await show(member)] as const);
  return Object.fromEntries(await Promise.all(members));
}

const shown = (content: string | Buffer, filename: string, mediaType: string): object => ({
  filename,
  mediaType,
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

let app: FastifyInstance;
let address: string;
let folder: string;
let handle: (body: Record<string, unknown>) => AnyReply | Promise<AnyReply>;
const echo = async (body: unknown): Promise<AnyReply> => ({ status: 200, body: await show(body) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-uploads-'));
  const handler = ({ body }: { body: unknown }) => handle(body as Record<string, unknown>);
  app = await serveDocument(document, {
    uploadFolder: folder,
    handlers: { addBook: handler, takeAnything: handler },
  });
  address = await app.listen({ port: 0 });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function send(form: FormData, path = '/books'): Promise<{ status: number; body: unknown }> {
  const response = await fetch(address + path, { method: 'POST', body: form });
  return { status: response.status, body: await response.json() };
}

type Value = string | Blob;

function formOf(...fields: [name: string, value: Value, filename?: string][]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  return form;
}

const png = (content = 'png') => new File([content], 'a.png', { type: 'image/png' });
const jsonPart = (value: unknown) => new Blob([JSON.stringify(value)], { type: 'application/json' });

const isEmpty = () => vi.waitFor(async () => expect(await readdir(folder)).toEqual([]));

describe('a form with files', () => {
  test('is an object of typed fields and files, in whatever order they come', async () => {
    handle = echo;
    const cover = Buffer.alloc(40_000, 'x').toString();
    const form = formOf(
      ['cover', png(cover)],
      ['pages', new File(['one'], '../../etc/1.txt', { type: 'text/plain' })],
      ['title', 'Grüße'],
      ['year', '1984'],
      ['tags', 'a'],
      ['sizes', '1,2'],
      ['meta', jsonPart({ by: 'me', at: 7 })],
      ['notes', '{"by":"you"}'],
      ['owner[age]', '50'],
      ['pages', new File(['two'], '2', { type: 'text/plain' })],
      ['raw', new Blob([])],
    );
    expect(await send(form)).toEqual({
      status: 200,
      body: {
        title: 'Grüße',
        year: 1984,
        tags: ['a'],
        sizes: [1, 2],
        meta: { by: 'me', at: 7 },
        notes: [{ by: 'you' }],
        owner: { age: 50 },
        cover: shown(cover, 'a.png', 'image/png'),
        pages: [shown('one', '1.txt', 'text/plain'), shown('two', '2', 'text/plain')],
        raw: shown('', 'blob', 'application/octet-stream'),
      },
    });
    await isEmpty();
  });

  test('may have any parts where the contract says no more', async () => {
    handle = echo;
    const form = formOf(['text', '100% + more'], ['many', 'a'], ['many', 'b'], ['file', png()], ['__proto__', 'x']);
    const { body } = await send(form, '/anything');
    expect(body).toMatchObject({ text: '100% + more', many: ['a', 'b'], file: { filename: 'a.png' } });
    expect(Object.keys(Object(body))).toContain('__proto__');
  });

  test('has no file where none was chosen', async () => {
    handle = echo;
    const none = new File([], '', { type: 'application/octet-stream' });
    expect(await send(formOf(['title', 'ab'], ['cover', png()], ['raw', none]))).toMatchObject({
      status: 200,
      body: { title: 'ab' },
    });
    expect(await send(formOf(['title', 'ab'], ['cover', none]))).toMatchObject({
      status: 400,
      body: { error: 'The body lacks the field "cover".' },
    });
  });

  test('may come packed', async () => {
    handle = echo;
    const request = new Request(address, { method: 'POST', body: formOf(['title', 'ab'], ['cover', png()]) });
    const response = await app.inject({
      method: 'POST',
      url: '/books',
      headers: { 'content-type': request.headers.get('content-type') ?? '', 'content-encoding': 'gzip' },
      payload: gzipSync(await request.bytes()),
    });
    expect(response.json()).toMatchObject({ title: 'ab', cover: { size: 3 } });
  });

  test('is whatever was sent, byte by byte', async () => {
    handle = echo;
    const bytes = fc.uint8Array({ maxLength: 5_000 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.string({ unit: 'grapheme' }), async (content, text) => {
        // Line ends of texts are made alike by FormData.
        const title = `ab${text.replaceAll(/[\r\n]/g, '')}`;
        const { body } = await send(
          formOf(['cover', new File([Buffer.from(content)], 'c', { type: 'image/png' })], ['title', title]),
        );
        expect(body).toEqual({ title, cover: shown(Buffer.from(content), 'c', 'image/png') });
      }),
      { numRuns: 40 },
    );
  });

  test('has its files until the reply is sent; one that is moved stays', async () => {
    await isEmpty();
    const kept = join(tmpdir(), `branchline-kept-${process.pid}`);
    handle = async ({ cover, raw }) => {
      expect(await readdir(folder)).toHaveLength(1);
      await rename((cover as UploadedFile).path, kept);
      return { status: 200, body: (await (raw as UploadedFile).bytes()).toString() };
    };
    expect(await send(formOf(['title', 'ab'], ['cover', png()], ['raw', png('raw')]))).toEqual({
      status: 200,
      body: 'raw',
    });
    await isEmpty();
    await rm(kept);
  });
});

describe('is refused with nothing left:', () => {
  const parts = (...texts: string[]): string => texts.map((text) => `--x\r\n${text}\r\n`).join('');
  const part = (name: string, text: string | Buffer): string =>
    `content-disposition: form-data; name="${name}"\r\n\r\n${text}`;
  const multipart = 'multipart/form-data; boundary=x';

  test.each<{ what: string; payload: string | Buffer; type?: string; status?: number; error: string }>([
    {
      what: 'a body without a boundary',
      payload: 'x',
      type: 'multipart/form-data',
      error: 'The content type lacks the "boundary" that parts the body.',
    },
    { what: 'no body', payload: '', error: 'The body is missing.' },
    { what: 'one that is none', payload: 'hello', error: 'The body ends before its last boundary, or has none.' },
    {
      what: 'one that ends early',
      payload: parts(part('cover', 'a')),
      error: 'The body ends before its last boundary, or has none.',
    },
    {
      what: 'a part without a name',
      payload: `${parts('content-disposition: form-data\r\n\r\na')}--x--`,
      error: 'A part of the body has no name.',
    },
    {
      what: 'too many parts',
      payload: `${parts(...Array.from({ length: 1001 }, (_one, n) => part(`f${n}`, 'a')))}--x--`,
      status: 413,
      error: 'The body must not have more than 1000 parts.',
    },
    {
      what: 'broken UTF-8',
      payload: Buffer.concat([
        Buffer.from('--x\r\ncontent-disposition: form-data; name="title"\r\n\r\n'),
        Buffer.of(0xff),
        Buffer.from('\r\n--x--'),
      ]),
      error: 'The field "title" of the body is not valid UTF-8.',
    },
    {
      what: 'broken JSON',
      payload: `${parts(part('meta', '{'))}--x--`,
      error: 'The field "meta" of the body must be JSON.',
    },
    {
      what: 'a field that does not fit',
      payload: `${parts('content-disposition: form-data; name="cover"; filename="a"\r\ncontent-type: image/png\r\n\r\na', part('title', 'a'))}--x--`,
      error: 'The field "title" of the body must have at least 2 characters.',
    },
    {
      what: 'a file of another type',
      payload: `${parts(part('cover', 'a'))}--x--`,
      status: 415,
      error: 'The file "cover" must have the content type image/png or image/jpeg.',
    },
    {
      what: 'a file that is too large',
      payload: `${parts(part('cover', 'a'.repeat(50_001)))}--x--`,
      status: 413,
      error: 'The file "cover" must not exceed 50000 bytes.',
    },
    {
      what: 'a body that is too large',
      payload: `${parts(part('raw', 'a'.repeat(LIMIT)))}--x--`,
      status: 413,
      error: `The body must not exceed ${LIMIT} bytes.`,
    },
    {
      what: 'a field that is not documented',
      payload: `${parts('content-disposition: form-data; name="cover"\r\ncontent-type: image/png\r\n\r\na', part('title', 'ab'), part('other', 'a'))}--x--`,
      error: 'The body must not have the field "other".',
    },
  ])('$what', async ({ payload, type = multipart, status = 400, error }) => {
    handle = () => ({ status: 200, body: 'reached' });
    // In chunks, so that its length is not known before.
    const body = new ReadableStream({
      start(controller) {
        if (payload.length > 0) controller.enqueue(Buffer.from(payload));
        controller.close();
      },
    });
    const response = await fetch(`${address}/books`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': type },
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { error } });
    await isEmpty();
  });

  test('whatever is no such body, wherever it ends', async () => {
    handle = echo;
    const request = new Request(address, {
      method: 'POST',
      body: formOf(['cover', png('p'.repeat(3_000))], ['title', 'ab']),
    });
    const whole = Buffer.from(await request.bytes());
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    const place = fc.nat({ max: whole.length });
    await fc.assert(
      fc.asyncProperty(place, place, fc.uint8Array({ maxLength: 5 }), async (start, end, junk) => {
        const body = Buffer.concat([whole.subarray(0, start), junk, whole.subarray(end)]);
        const response = await fetch(`${address}/books`, { method: 'POST', body, headers });
        expect([200, 400, 413, 415]).toContain(response.status);
        await response.text();
      }),
    );
    await isEmpty();
  });

  test('one that its client breaks off', async () => {
    handle = () => ({ status: 200, body: 'reached' });
    const socket = connect((app.server.address() as AddressInfo).port);
    const head = `POST /books HTTP/1.1\r\nhost: a\r\ncontent-type: ${multipart}\r\ncontent-length: 9999\r\n\r\n`;
    socket.write(head + parts(`content-disposition: form-data; name="raw"\r\n\r\n${'a'.repeat(5_000)}`));
    await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1));
    socket.destroy();
    await isEmpty();
  });
});

describe('what is generated', () => {
  const out = temporaryFolder();
  beforeAll(async () => {
    const { path } = await out;
    await writeFile(join(path, 'spec.json'), JSON.stringify(document));
    await generateServer(join(path, 'spec.json'), path);
    await generateClient(join(path, 'spec.json'), path);
  });
  afterAll(async () => (await out)[Symbol.asyncDispose]());

  test('says what a handler gets, and a client may send', async () => {
    const { path } = await out;
    const use = (expression: string) =>
      `import type { Handlers } from './server/generated/handlers.ts';
export const addBook: Handlers['addBook'] = async ({ body }) => ({ status: 200, body: ${expression} });\n`;
    const call = (body: string) =>
      `import { createClient } from './client/generated/client.ts';\nawait createClient({ baseUrl: '' }).addBook({ body: ${body} });\n`;
    const right =
      '[body.cover.filename, await body.pages?.[0]?.bytes(), body.meta?.by.trim(), body.year?.toFixed(), body.raw?.size]';
    await writeFile(join(path, 'right.ts'), use(right));
    await writeFile(
      join(path, 'right-call.ts'),
      call("{ title: 'a', cover: new Blob([]), year: 7, pages: [new File([], 'a')] }"),
    );
    await writeFile(join(path, 'right-form.ts'), call('new FormData()'));
    await writeFile(join(path, 'wrong.ts'), use('body.cover.trim()'));
    await writeFile(join(path, 'wrong-call.ts'), call("{ title: 'a', cover: 'bytes' }"));
    expect((await compile(path)).split('\n').filter((line) => /^\S+\.ts\(/.test(line))).toEqual([
      expect.stringMatching(/^wrong-call\.ts.*'string' is not assignable to type 'Blob'/),
      expect.stringMatching(/^wrong\.ts.*'trim' does not exist on type 'UploadedFile'/),
    ]);
  });

  test('sends what is received', async () => {
    handle = echo;
    const client = (await importClient((await out).path)).createClient({ baseUrl: address });
    const fields = {
      title: 'ab',
      year: 7,
      sizes: [1, 2],
      meta: { by: 'me' },
      notes: [{ by: 'you' }],
      owner: { age: 5 },
    };
    const body = { ...fields, tags: ['a, b', 'c'], cover: png(), pages: [new File(['1'], 'one')] };
    expect(await client['addBook']?.({ body })).toMatchObject({
      status: 200,
      body: { ...fields, tags: ['a, b', 'c'], cover: shown('png', 'a.png', 'image/png'), pages: [{ filename: 'one' }] },
    });
  });
});
