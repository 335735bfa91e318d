import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { hostileApp } from './testing/hostile-app.ts';

const hostile = hostileApp();
const json = { 'content-type': 'application/json' };

function post(payload: string | Buffer, headers: Record<string, string> = json): InjectOptions {
  return { method: 'POST', url: '/things', payload, headers };
}

describe('a JSON body', () => {
  test.each([
    { what: 'plain', payload: '{"name":"a"}', body: { name: 'a' } },
    {
      what: 'with null where the schema allows it',
      payload: '{"name":"a","count":null}',
      body: { name: 'a', count: null },
    },
    {
      what: 'recursive',
      payload: '{"name":"a","children":[{"name":"b"}]}',
      body: { name: 'a', children: [{ name: 'b' }] },
    },
    {
      what: 'with a property called example',
      payload: '{"name":"a","example":"b"}',
      body: { name: 'a', example: 'b' },
    },
    {
      what: 'with colons and braces in a string',
      payload: '{"name":"a","example":"{\\"a\\":[:"}',
      body: { name: 'a', example: '{"a":[:' },
    },
  ])('$what reaches the handler as it is', async ({ payload, body }) => {
    const app = await hostile();
    expect((await app.inject(post(payload))).json().body).toEqual(body);
  });

  test.each([
    { what: 'missing', payload: '', sentence: 'The body is missing.' },
    { what: 'cut off', payload: '{"name":"a"', sentence: 'The body is not valid JSON.' },
    { what: 'with a byte order mark', payload: '\uFEFF{"name":"a"}', sentence: 'The body is not valid JSON.' },
    { what: 'of the wrong type', payload: '[]', sentence: 'The body must be an object.' },
    {
      what: 'with a number for a string',
      payload: '{"name":123}',
      sentence: 'The field "name" of the body must be a string.',
    },
    {
      what: 'with a text for a number',
      payload: '{"name":"a","count":"1"}',
      sentence: 'The field "count" of the body must be an integer or null.',
    },
    { what: 'without a required field', payload: '{}', sentence: 'The body lacks the field "name".' },
    { what: 'with an unknown field', payload: '{"name":"a","x":1}', sentence: 'The body must not have the field "x".' },
    {
      what: 'with an unknown field of a long name',
      payload: `{"name":"a","${'x'.repeat(1_000)}":1}`,
      sentence: `The body must not have the field "${'x'.repeat(99)}…".`,
    },
    {
      what: 'with __proto__',
      payload: '{"name":"a","__proto__":{"x":1}}',
      sentence: 'The body must not have the field "__proto__".',
    },
    {
      what: 'wrong deep inside',
      payload: '{"name":"a","children":[{"name":""}]}',
      sentence: 'The field "children[0].name" of the body must not be empty.',
    },
    {
      what: 'with a key twice',
      payload: '{"name":"a","name":"b"}',
      sentence: 'The body has an object with the same key twice.',
    },
    {
      what: 'with a key twice, equal',
      payload: '{"name":"a","name":"a"}',
      sentence: 'The body has an object with the same key twice.',
    },
    {
      what: 'with a key twice, escaped',
      payload: '{"name":"a","n\\u0061me":"b"}',
      sentence: 'The body has an object with the same key twice.',
    },
    {
      what: 'nested too deep',
      payload: `${'['.repeat(65)}${']'.repeat(65)}`,
      sentence: 'The body is nested more than 64 levels deep.',
    },
    {
      what: 'nested absurdly deep',
      payload: '['.repeat(999) + ']'.repeat(999),
      sentence: 'The body is nested more than 64 levels deep.',
    },
    { what: 'in Latin-1', payload: Buffer.from('{"name":"é"}', 'latin1'), sentence: 'The body is not valid UTF-8.' },
  ])('$what is refused', async ({ payload, sentence }) => {
    const response = await (await hostile()).inject(post(payload));
    expect(response.json()).toEqual({ error: sentence, kind: 'body' });
    expect(response.statusCode).toBe(400);
  });

  test('has no field that every object inherits', async () => {
    const response = await (await hostile()).inject({ method: 'PUT', url: '/secret', payload: {} });
    expect(response.json().error).toBe('The body lacks the field "constructor".');
  });

  test('cannot pollute the prototype', async () => {
    const app = await hostile();
    const response = await app.inject({
      method: 'POST',
      url: '/secret',
      payload: '{"__proto__":{"x":1}}',
      headers: json,
    });
    expect(response.statusCode).toBe(200);
    expect('x' in {}).toBe(false);
  });
});

describe('the size', () => {
  test('up to the limit is taken', async () => {
    const app = await hostile();
    expect((await app.inject(post(exactly(2000)))).statusCode).toBe(201);
  });

  test('one byte more is 413', async () => {
    const response = await (await hostile()).inject(post(exactly(2001)));
    expect(response.json()).toEqual({ error: 'The body must not exceed 2000 bytes.', kind: 'too-large' });
    expect(response.statusCode).toBe(413);
  });

  test('a length above the limit is 413 before anything is sent', async () => {
    const app = await hostile({});
    const response = await send(await app.listen(), (sending) => sending.flushHeaders(), {
      ...json,
      'content-length': '2001',
    });
    expect(response.statusCode).toBe(413);
  });

  test('a client that is still sending without a length reads the 413', async () => {
    const app = await hostile({});
    const response = await send(await app.listen(), (sending) => {
      for (let n = 0; n < 100; n += 1) sending.write('x'.repeat(10_000));
    });
    expect(response.statusCode).toBe(413);
  });
});

describe('gzip', () => {
  const gzip = { ...json, 'content-encoding': 'gzip' };

  test('is unpacked where the contract allows it', async () => {
    const app = await hostile();
    expect((await app.inject(post(gzipSync('{"name":"a"}'), gzip))).json().body).toEqual({ name: 'a' });
  });

  test('is 415 where it does not', async () => {
    const request = { method: 'POST', url: '/batches', payload: gzipSync('{}'), headers: gzip } as const;
    const response = await (await hostile()).inject(request);
    expect(response.statusCode).toBe(415);
    expect(response.headers['accept-encoding']).toBe('identity');
  });

  test.each([
    { what: 'no gzip', payload: Buffer.from('{"name":"a"}') },
    { what: 'cut off', payload: gzipSync('{"name":"a"}').subarray(0, 20) },
  ])('$what is 400', async ({ payload }) => {
    const response = await (await hostile()).inject(post(payload, gzip));
    expect(response.json()).toEqual({ error: 'The body is not valid gzip.', kind: 'body' });
  });

  test('a bomb is 413 without being unpacked whole', async () => {
    const payload = gzipSync(Buffer.alloc(1_000_000));
    expect(payload.length).toBeLessThan(2000);
    expect((await (await hostile()).inject(post(payload, gzip))).statusCode).toBe(413);
  });

  test('empty members without end are 413', async () => {
    const empty = gzipSync('');
    const app = await hostile({});
    const response = await send(
      await app.listen(),
      (sending) => {
        for (let n = 0; n < 1000; n += 1) sending.write(empty);
      },
      gzip,
    );
    expect(response.statusCode).toBe(413);
  });
});

describe('items that the handler judges', () => {
  test('pass the wiring', async () => {
    const payload = { items: [{ name: 'a' }, { name: 1 }, null] };
    const response = await (await hostile()).inject({ method: 'POST', url: '/batches', payload });
    expect(response.json().body).toEqual(payload);
  });

  test('the array itself is still checked', async () => {
    const response = await (await hostile()).inject({ method: 'POST', url: '/batches', payload: { items: [] } });
    expect(response.json().error).toBe('The field "items" of the body must not be empty.');
  });
});

describe('an operation that answers a bad body itself', () => {
  const invalidBody = {
    createThing: ({ body }: { body: unknown }, problem: Error) => ({
      status: 400,
      body: { error: `own: ${problem.message}`, body },
    }),
  };

  test.each([
    { what: 'malformed', payload: '{"name', want: { error: 'own: The body is not valid JSON.' } },
    {
      what: 'invalid',
      payload: '{"name":1}',
      want: { error: 'own: The field "name" of the body must be a string.', body: { name: 1 } },
    },
    { what: 'missing', payload: '', want: { error: 'own: The body is missing.' } },
  ])('$what', async ({ payload, want }) => {
    const response = await (await hostile({ invalidBody })).inject(post(payload));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual(want);
  });

  test('is not asked about 413 and 415', async () => {
    const app = await hostile({ invalidBody });
    expect((await app.inject(post('x'.repeat(3000)))).json().kind).toBe('too-large');
    expect((await app.inject(post('{}', { 'content-type': 'a/b' }))).json().kind).toBe('media-type');
  });
});

test('a body whose client has left is answered by nobody', async () => {
  const asked: string[] = [];
  const answer = (_request: unknown, { message }: Error) => {
    asked.push(message);
    return { status: 400, body: { error: message } };
  };
  const app = await hostile({ invalidBody: { createThing: answer } });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {});
  socket.write('POST /things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"na');
  // By then the server reads the body.
  const [begun]: [IncomingMessage] = (await once(app.server, 'request')) as [IncomingMessage];
  await expect.poll(() => begun.listenerCount('data')).toBe(1);
  const aborted = once(
    begun.on('error', () => {}),
    'aborted',
  );
  socket.resetAndDestroy();
  await aborted;
  await setImmediate();
  expect(asked).toEqual([]);
});

/** A valid body of so many bytes. */
function exactly(bytes: number): string {
  return `{"name":"a","example":"${'x'.repeat(bytes - 25)}"}`;
}

/** Sends a body without an end. */
async function send(
  address: string,
  write: (sending: ClientRequest) => void,
  headers: Record<string, string> = json,
): Promise<{ statusCode: number | undefined; body: string }> {
  const sending = httpRequest(`${address}/things`, { method: 'POST', headers });
  sending.on('error', () => {});
  write(sending);
  const [response]: [IncomingMessage] = (await once(sending, 'response')) as [IncomingMessage];
  const body = await text(response);
  sending.destroy();
  return { statusCode: response.statusCode, body };
}
