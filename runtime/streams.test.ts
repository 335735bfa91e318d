import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startStream } from './streams.ts';

afterEach(() => {
  vi.useRealTimers();
});

function keepWarnings() {
  const warned: string[] = [];
  return { warned, log: { warn: (text: string) => warned.push(text) } };
}

test('waits no more for a client that has left while a chunk was made', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { warned, log } = keepWarnings();
  const made = Promise.withResolvers<void>();
  async function* body(): AsyncGenerator<string> {
    yield 'first';
    await made.promise;
    yield 'second';
  }
  const stream = await startStream(body(), { log, raw: {} } as unknown as FastifyRequest);
  stream.resume();
  await nextTurn();
  stream.destroy();
  made.resolve();
  await nextTurn();
  vi.advanceTimersByTime(120_000);
  expect(warned).toEqual([]);
});

/** Both ends of a connection. */
async function openConnection(): Promise<{ here: Socket; there: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const there = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const [here] = (await accepted) as [Socket];
  onTestFinished(() => {
    for (const socket of [here, there]) socket.destroy();
    server.close();
  });
  return { here, there };
}

/** A streamed body of which the client takes one chunk after the other, and what becomes of its connection. */
async function streamTo(socket: Socket) {
  async function* body(): AsyncGenerator<string> {
    for (;;) yield 'chunk';
  }
  const { warned, log } = keepWarnings();
  const stream = await startStream(body(), { log, raw: { socket } } as unknown as FastifyRequest);
  const chunks = stream[Symbol.asyncIterator]();
  return { stream, warned, take: () => chunks.next() };
}

test('resets the connection of a client that takes nothing for two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { here, there } = await openConnection();
  const { warned, take } = await streamTo(here);
  await take();
  // Some chunks are asked for ahead.
  await nextTurn();
  vi.advanceTimersByTime(119_999);
  expect([here.destroyed, warned]).toEqual([false, []]);
  const failed = once(there, 'error');
  vi.advanceTimersByTime(1);
  expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  expect(warned).toEqual([expect.stringContaining('took nothing of a streamed body for 120 seconds')]);
});

test('keeps the connection of a client that takes something within two minutes each time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { here } = await openConnection();
  const { stream, warned, take } = await streamTo(here);
  for (let taken = 0; taken < 100; taken += 1) {
    expect(await take()).toMatchObject({ done: false });
    vi.advanceTimersByTime(119_000);
  }
  stream.destroy();
  await nextTurn();
  vi.advanceTimersByTime(120_000);
  expect([here.destroyed, warned]).toEqual([false, []]);
});
