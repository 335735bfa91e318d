import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { hostileApp } from './testing/hostile-app.ts';
import { openResponse } from './testing/open-response.ts';

const hostile = hostileApp();

const news = (body: () => unknown) => hostile({ handlers: { news: () => ({ status: 200, body: body() }) } });

describe('a stream of events', () => {
  test('writes each event as browsers read it, and is not kept or held back on its way', async () => {
    const events = [
      { data: { name: 'a' } },
      { id: '7', event: 'named', retry: 500, data: 'two\r\nlines' },
      { id: '8' },
    ];
    const response = await (await news(() => Readable.from(events))).inject('/news');
    expect(response.body).toBe(
      ':\n\ndata: {"name":"a"}\n\nevent: named\nid: 7\nretry: 500\ndata: two\ndata: lines\n\nid: 8\n:\n\n',
    );
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
  });

  test('may be a list', async () => {
    const response = await (await news(() => [{ data: { name: 'a' } }])).inject('/news');
    expect(response.body).toBe(':\n\ndata: {"name":"a"}\n\n');
  });

  test('begins before its first event', async () => {
    const never = new Promise<never>(() => {});
    const app = await news(() => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) }));
    const response = await openResponse(await app.listen(), '/news');
    expect(response.statusCode).toBe(200);
    expect(String(await once(response, 'data'))).toBe(':\n\n');
    response.destroy();
  });

  test('is ended when the client leaves, also while an event is waited for', async () => {
    const ended = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<IteratorResult<object>>();
    const app = await news(() => ({
      [Symbol.asyncIterator]: () => ({
        next: () => waiting.promise,
        async return() {
          ended.resolve();
          return { done: true, value: undefined };
        },
      }),
    }));
    const response = await openResponse(await app.listen(), '/news');
    await once(response, 'data');
    response.destroy();
    await ended.promise;
  });

  test('is put away for HEAD', async () => {
    const put = vi.fn().mockResolvedValue({ done: true, value: undefined });
    const app = await news(() => ({ [Symbol.asyncIterator]: () => ({ next: vi.fn(), return: put }) }));
    expect((await app.inject({ method: 'HEAD', url: '/news' })).statusCode).toBe(200);
    expect(put).toHaveBeenCalledOnce();
  });

  test('with an id that would be two lines is broken off', async () => {
    const begun = Promise.withResolvers<void>();
    async function* events(): AsyncGenerator<object> {
      await begun.promise;
      yield { id: 'a\ndata: b', data: { name: 'a' } };
    }
    const response = await openResponse(await (await news(events)).listen(), '/news');
    await once(response, 'data');
    begun.resolve();
    const [error] = await once(response, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });
});
