import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { letConnectionsEnd, type Patience } from './last-replies.ts';
import { buildListener } from './listener.ts';

const LONG_MS = 3_600_000;
/** More than the system takes of a connection. */
const LARGE = 'x'.repeat(32 * 1_048_576);

let app: FastifyInstance;
let socket: Socket;
/** What the client has received. */
let text: string;
let reply: PassThrough;

async function begin(patience: Patience): Promise<void> {
  letConnectionsEnd(app, patience);
  app.get('/', (_request, to) => to.send(reply));
  app.get('/next', () => 'next');
  app.get('/large', () => LARGE);
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  socket = connect(Number(port), '127.0.0.1');
  text = '';
  socket.on('data', (some: Buffer) => (text += some.toString()));
  ask('/');
  reply.write('begun; ');
  await received('begun; ');
}

const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);

const received = (part: string) => expect.poll(() => text, { timeout: 30_000 }).toContain(part);

beforeEach(async () => {
  reply = new PassThrough();
  app = await buildListener({
    logger: pino({ level: 'silent' }),
    maxConnections: 10,
    arrival: { request: LONG_MS, idle: LONG_MS, lookEvery: LONG_MS, rest: LONG_MS },
  });
});

it('a stop ends with a reply that had begun before it, though the client keeps the connection', async () => {
  await begin({ idleMs: 0 });
  const closed = app.close();
  reply.end('whole');
  await Promise.all([once(socket, 'end'), closed]);
  expect(text).toContain('whole');
});

it('a client that goes on after such a reply gets one more, with which the connection ends', async () => {
  await begin({ idleMs: LONG_MS, mostMs: LONG_MS });
  const closed = app.close();
  reply.end('whole');
  await received('whole');
  ask('/next');
  await Promise.all([once(socket, 'end'), closed]);
  expect(text.slice(text.indexOf('whole'))).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n[^]*next$/im);
});

it('a reply that is made is sent to its end, as fast as the client reads', async () => {
  await begin({ idleMs: 0, mostMs: 0 });
  reply.end('whole');
  await received('whole');
  const asked = once(app.server, 'request');
  socket.pause();
  ask('/large');
  const [, made]: ServerResponse[] = await asked;
  await expect.poll(() => made?.writableEnded).toBe(true);
  const closed = app.close();
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  socket.resume();
  await Promise.all([once(socket, 'close'), closed]);
  expect(text.slice(-LARGE.length)).toBe(LARGE);
});

it('a stop does not wait for ever for one more request', async () => {
  await begin({ idleMs: LONG_MS, mostMs: 20 });
  reply.end('whole');
  await received('whole');
  await Promise.all([once(socket, 'end'), app.close()]);
});

it.each(['G', 'GET / HTTP/1.1\r\nhost: x\r\n'])(
  'a client that never sends the rest of its headers (%j) holds up no stop',
  async (part) => {
    await begin({ idleMs: 0, headersMs: 0 });
    reply.end('whole');
    await received('whole');
    const accepted = once(app.server, 'connection');
    const other = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1');
    const [arriving]: Socket[] = await accepted;
    other.write(part);
    await expect.poll(() => arriving?.bytesRead).toBe(part.length);
    await Promise.all([once(other, 'close'), app.close()]);
  },
);

it('a reply that is cut off is reset, so that it does not look whole where nothing tells its end', async () => {
  await begin({ idleMs: 0 });
  socket.on('error', () => {});
  const old = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const end = new Promise((resolve) => {
    old.on('end', () => resolve('ended')).on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
  old.resume().write('GET / HTTP/1.0\r\n\r\n');
  // What is written goes to both clients, once the server has read what this one asks for.
  await expect.poll(() => reply.write('more; ') && old.bytesRead).toBeGreaterThan(0);
  const closed = app.close();
  app.server.closeAllConnections();
  expect(await end).toBe('ECONNRESET');
  reply.end();
  await closed;
});
