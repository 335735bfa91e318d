import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundPipelining } from './pipelining.ts';
import { boundUnreadAnswers } from './unread-answers.ts';

/** More than the system keeps for a connection. */
const ANSWER = 'x'.repeat(16 * 1_048_576);
const BOUNDS = { ofHolder: 2 * ANSWER.length, total: 3 * ANSWER.length, lookEveryMs: 15_000 };

let app: FastifyInstance;
let sockets: Socket[];
let made: number;

beforeEach(() => listen());

async function listen(bounds = BOUNDS): Promise<void> {
  sockets = [];
  made = 0;
  app = fastify({ forceCloseConnections: true });
  boundPipelining(app.server);
  boundUnreadAnswers(app, ({ url }) => url, bounds);
  app.get('/:holder', () => {
    made += 1;
    return ANSWER;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Asks, and reads nothing. Resolves once the answer waits. */
async function ask(holder: string, times = 1): Promise<Socket> {
  const before = made;
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
  sockets.push(socket.on('error', () => {}));
  socket.write(`GET /${holder} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(times));
  await expect.poll(() => made).toBe(before + 1);
  return socket;
}

async function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

it('makes one answer at a time for a connection, the next once that is read', async () => {
  const socket = await ask('a', 5);
  await ask('b');
  expect(made).toBe(2);
  socket.resume();
  await expect.poll(() => made).toBe(6);
});

async function expectReset(socket: Socket): Promise<void> {
  const [error] = await once(socket.resume(), 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
}

it('resets the oldest connection of a holder with too much unread', async () => {
  const first = await ask('a');
  await ask('a');
  expect(await connections()).toBe(2);
  await ask('a');
  await expect.poll(connections).toBe(2);
  await expectReset(first);
});

it('where all together have too much unread, resets the oldest connection of the holder who has most', async () => {
  await ask('b');
  const first = await ask('a');
  await ask('a');
  expect(await connections()).toBe(3);
  await ask('c');
  await expect.poll(connections).toBe(3);
  await expectReset(first);
});

it('counts what is read no longer', async () => {
  for (let time = 0; time < 4; time += 1) {
    const reader = await ask('a');
    let read = 0;
    reader.on('data', (bytes: Buffer) => (read += bytes.length));
    reader.resume();
    await expect.poll(() => read).toBeGreaterThan(ANSWER.length);
  }
  expect(await connections()).toBe(4);
});

it('closes a connection that takes nothing of its answer for a while, and not one whose answer is read', async () => {
  await app.close();
  await listen({ ...BOUNDS, lookEveryMs: 200 });
  const reader = await ask('a');
  const other = await ask('b');
  reader.resume();
  await expect.poll(connections).toBe(1);
  await once(other.resume(), 'close');
  await expect.poll(() => reader.bytesRead).toBeGreaterThan(ANSWER.length);
  expect(reader.closed).toBe(false);
});
