import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { hostileApp } from './testing/hostile-app.ts';
import { openResponse } from './testing/open-response.ts';

const hostile = hostileApp();

describe('replies', () => {
  test.each([
    { status: 201, body: { name: 'a' }, type: 'application/json; charset=utf-8' },
    { status: 400, body: { error: 'x' }, type: 'application/json; charset=utf-8' },
    { status: 418, body: { error: 'x' }, type: 'application/problem+json; charset=utf-8' },
  ])('$status has the media type that the contract documents', async ({ status, body, type }) => {
    const app = await hostile({
      handlers: { createThing: async () => ({ status, headers: { Location: '/things/1' }, body }) },
    });
    const response = await app.inject({ method: 'POST', url: '/things', payload: { name: 'a' } });
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject({ 'content-type': type, location: '/things/1' });
    expect(response.json()).toEqual(body);
  });

  test.each([null, 'text', 7, false])('the JSON value %j is JSON', async (body) => {
    const app = await hostile({ handlers: { listThings: () => ({ status: 200, body }) } });
    const response = await app.inject('/things');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual(body);
  });

  test('anything, where the contract says no more of the media type, is JSON', async () => {
    const app = await hostile({ handlers: { replaceThing: () => ({ status: 200, body: 'text' }) } });
    const response = await app.inject({ method: 'PUT', url: '/things/1' });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toBe('text');
  });

  test('a success without content has no body', async () => {
    const app = await hostile({
      handlers: { createThing: () => ({ status: 302 }), listThings: async () => ({ status: 200 }) },
    });
    const responses = [
      await app.inject({ method: 'POST', url: '/things', payload: { name: 'a' } }),
      await app.inject('/things'),
    ];
    expect(responses.map(({ statusCode, body, headers }) => [statusCode, body, headers['content-length']])).toEqual([
      [302, '', '0'],
      [200, '', '0'],
    ]);
    expect(responses.map(({ headers }) => headers['content-type'])).toEqual([undefined, undefined]);
  });

  test('no content is no content', async () => {
    const app = await hostile({ handlers: { deleteOperation: () => ({ status: 204 }) } });
    const response = await app.inject({ method: 'DELETE', url: '/things/1' });
    expect(response.statusCode).toBe(204);
    expect(response.headers['content-type']).toBeUndefined();
  });

  test('the handler chooses among several media types', async () => {
    const app = await hostile({
      handlers: { getFile: () => ({ status: 200, type: 'image/png', body: Uint8Array.of(1, 2) }) },
    });
    const response = await app.inject('/files/a.png');
    expect(response.headers['content-type']).toBe('image/png');
    expect([...response.rawPayload]).toEqual([1, 2]);
  });

  test('HEAD answers as GET does, without the body', async () => {
    const app = await hostile({ handlers: { metaRoot: () => ({ status: 200, body: 'mine' }) } });
    const response = await app.inject({ method: 'HEAD', url: '/things/mine' });
    expect(response.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'content-length': '4' });
    expect(response.body).toBe('');
  });

  test('HEAD may be an operation of its own', async () => {
    const app = await hostile({ handlers: { headAlone: () => ({ status: 204 }) } });
    expect((await app.inject({ method: 'HEAD', url: '/own-head' })).statusCode).toBe(204);
    expect((await app.inject('/own-head')).statusCode).toBe(200);
  });

  test('a handler that fails is an error like any other', async () => {
    const app = await hostile({ handlers: { listThings: async () => Promise.reject(new Error('broken')) } });
    expect((await app.inject('/things')).statusCode).toBe(500);
  });
});

describe('a streamed reply', () => {
  test('arrives whole', async () => {
    const chunks = Readable.from(['a,b\r\n', Buffer.from('ü,2\r\n')]);
    const response = await (await streaming(() => chunks)).inject('/stream');
    expect(response.body).toBe('a,b\r\nü,2\r\n');
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  });

  test('may be empty', async () => {
    const chunks = Readable.from([]);
    const response = await (await streaming(() => chunks)).inject('/stream');
    expect(response).toMatchObject({ statusCode: 200, body: '' });
  });

  test('is never begun for HEAD', async () => {
    const next = vi.fn();
    const app = await streaming(() => ({ [Symbol.asyncIterator]: () => ({ next }) }));
    const response = await app.inject({ method: 'HEAD', url: '/stream' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-length']).toBeUndefined();
    expect(next).not.toHaveBeenCalled();
  });

  test('that fails before its first chunk is an ordinary error', async () => {
    const next = vi.fn().mockRejectedValue(Object.assign(new Error('busy'), { statusCode: 503 }));
    const app = await streaming(() => ({ [Symbol.asyncIterator]: () => ({ next }) }));
    const response = await app.inject('/stream');
    expect(response.statusCode).toBe(503);
    expect(response.json().error).toBe('busy');
  });

  test('that fails later resets the connection', async () => {
    const failed = Promise.withResolvers<void>();
    async function* chunks(): AsyncGenerator<string> {
      yield 'first';
      await failed.promise;
      throw new Error('too late');
    }
    const address = await (await streaming(chunks)).listen();
    const response = await openResponse(address, '/stream');
    await once(response, 'data');
    failed.resolve();
    const [error] = await once(response, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(response.complete).toBe(false);
  });

  test('that fails later resets a raw socket: its end is no clean end', async () => {
    const failed = Promise.withResolvers<void>();
    async function* chunks(): AsyncGenerator<string> {
      yield 'first';
      await failed.promise;
      throw new Error('too late');
    }
    const app = await streaming(chunks);
    const { port } = new URL(await app.listen());
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    failed.resolve();
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  test('ends its iterator when the client leaves', async () => {
    const ended = Promise.withResolvers<void>();
    async function* chunks(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        ended.resolve();
      }
    }
    const response = await openResponse(await (await streaming(chunks)).listen(), '/stream');
    await once(response, 'data');
    response.destroy();
    await ended.promise;
  });

  test('ends its iterator when the client leaves before the first chunk', async () => {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const app = await streaming(() => ({
      [Symbol.asyncIterator]: () => ({
        async next() {
          asked.resolve();
          await gone.promise;
          return { done: false, value: 'x' };
        },
        async return() {
          ended.resolve();
          return { done: true, value: undefined };
        },
      }),
    }));
    app.server.on('connection', (socket) => socket.once('close', () => left.resolve()));
    const leaving = get(`${await app.listen()}/stream`);
    leaving.on('error', () => {});
    await asked.promise;
    leaving.destroy();
    await left.promise;
    gone.resolve();
    await ended.promise;
  });

  test('is asked for more only as the client takes it', async () => {
    let made = 0;
    async function* chunks(): AsyncGenerator<string> {
      for (; made < 1000; made += 1) yield 'x'.repeat(100_000);
    }
    const response = await openResponse(await (await streaming(chunks)).listen(), '/stream');
    response.pause();
    // 100 MB would have to fit into the buffers of two sockets; a turn of the loop for each chunk is more than enough.
    for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(500);
    response.destroy();
  });

  test('resets the connection of a client that takes nothing for two minutes, and of no slower one', async () => {
    const ended = Promise.withResolvers<void>();
    async function* chunks(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        ended.resolve();
      }
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const response = await openResponse(await (await streaming(chunks)).listen(), '/stream');
      response.pause();
      const buffersFill = async () => {
        for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);
      };
      for (let pause = 0; pause < 3; pause += 1) {
        await buffersFill();
        vi.advanceTimersByTime(119_999);
        for (let taken = 0; taken < 30_000_000;) taken += String(response.read() ?? (await buffersFill()) ?? '').length;
      }
      await buffersFill();
      vi.advanceTimersByTime(120_000);
      await ended.promise;
      const [error] = await once(response.resume(), 'error');
      expect(error).toMatchObject({ code: 'ECONNRESET' });
    } finally {
      vi.useRealTimers();
    }
  });
});

async function streaming(body: () => AsyncIterable<string | Uint8Array>): Promise<FastifyInstance> {
  return hostile({ handlers: { stream: () => ({ status: 200, body: body() }) } });
}
