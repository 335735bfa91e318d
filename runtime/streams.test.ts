import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { startStream } from './streams.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('waits no more for a client that has left while a chunk was made', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const made = Promise.withResolvers<void>();
  async function* body(): AsyncGenerator<string> {
    yield 'first';
    await made.promise;
    yield 'second';
  }
  const stream = await startStream(body(), { raw: {} } as FastifyRequest);
  stream.resume();
  await nextTurn();
  stream.destroy();
  made.resolve();
  await nextTurn();
  expect(vi.getTimerCount()).toBe(0);
});
