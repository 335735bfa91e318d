import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnCertificate } from '../tls/own-certificate.ts';
import { serveTlsToo } from '../tls/same-port.ts';
import { boundPipelining } from './pipelining.ts';
import { RequestTurns } from './request-turns.ts';
import { boundUnreadAnswers } from './unread-answers.ts';

/** More than the system keeps for a connection. */
const ANSWER = 'x'.repeat(16 * 1_048_576);
const FILE = Buffer.alloc(64 * 1_048_576, 'x');
const LARGE = { file: FILE, text: FILE.toString() };
const BOUNDS = { ofHolder: 2 * ANSWER.length, total: 3 * ANSWER.length, lookEveryMs: 15_000 };

let app: FastifyInstance;
let sockets: Socket[];
let made: number;
/** The connections, at the server, that asked for something large. */
let asked: Socket[];

beforeEach(() => listen());

async function listen(bounds = BOUNDS): Promise<void> {
  [sockets, asked, made] = [[], [], 0];
  app = fastify({ forceCloseConnections: true });
  boundPipelining(app.server);
  boundUnreadAnswers(app, ({ url }) => url, bounds);
  const logger = pino({ level: 'silent' });
  const certificate = new OwnCertificate({ host: '127.0.0.1', file: undefined, clock: Date.now, logger });
  serveTlsToo(app.server, { turns: new RequestTurns(), certificate, logger });
  for (const [path, answer] of Object.entries(LARGE)) {
    app.get(`/large/${path}`, ({ raw }) => {
      asked.push(raw.socket);
      return answer;
    });
  }
  app.get('/streamed', (_request, reply) => {
    made += 1;
    return reply.send(Readable.from(Array.from({ length: 1_000 }, () => LARGE.file.subarray(0, 65_536))));
  });
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

it('sends an answer that is larger than what may wait to whoever reads it', async () => {
  await app.close();
  await listen({ ...BOUNDS, ofHolder: 1_000, total: 1_000 });
  const reader = await ask('a');
  reader.resume();
  await expect.poll(() => reader.bytesRead).toBeGreaterThan(ANSWER.length);
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

it('resets a connection that takes nothing of its answer for a while, and leaves one whose answer is read', async () => {
  await app.close();
  await listen({ ...BOUNDS, lookEveryMs: 2_000 });
  const reader = await ask('a');
  const other = await ask('b');
  const reset = codeOf(other);
  reader.resume();
  await expect.poll(connections).toBe(1);
  other.resume();
  expect(await reset).toBe('ECONNRESET');
  await expect.poll(() => reader.bytesRead).toBeGreaterThan(ANSWER.length);
  expect(reader.closed).toBe(false);
});

it('resets a connection that takes nothing of a streamed answer, which would look whole over HTTP/1.0', async () => {
  app.server.timeout = 500;
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
  sockets.push(socket);
  const reset = codeOf(socket);
  socket.write('GET /streamed HTTP/1.0\r\n\r\n');
  await expect.poll(() => made).toBe(1);
  await expect.poll(connections).toBe(0);
  socket.resume();
  expect(await reset).toBe('ECONNRESET');
});

/** Resolves with the code of the error with which a connection ends. */
async function codeOf(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code)));
}

/** Asks for something large over TLS, and reads nothing. Resolves once the server begins to answer. */
async function askForLarge(path: string, method = 'GET'): Promise<Socket> {
  const before = asked.length;
  const { port } = app.server.address() as AddressInfo;
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).pause();
  sockets.push(socket.on('error', () => {}));
  socket.write(`${method} /large/${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  await expect.poll(() => asked.length).toBe(before + 1);
  return socket;
}

it.each(['file', 'text'])('encrypts a large %s piece by piece, as it is read, and sends all of it', async (path) => {
  const socket = await askForLarge(path);
  const taken = () => asked[0]?.bytesWritten ?? 0;
  let before = -1;
  await expect
    .poll(() => {
      const stands = taken() === before;
      before = taken();
      return stands;
    })
    .toBe(true);
  // The system takes some megabytes.
  expect(taken()).toBeLessThan(FILE.length / 2);
  const read: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => read.push(bytes)).resume();
  await once(socket, 'end');
  const answer = Buffer.concat(read);
  const body = answer.indexOf('\r\n\r\n') + 4;
  expect(answer.subarray(0, body).toString()).toMatch(new RegExp(`content-length: ${FILE.length}\r\n`, 'i'));
  expect(answer.subarray(body).equals(FILE)).toBe(true);
});

it.each(['file', 'text'])('says of a large %s over TLS how long it is, where only that is asked', async (path) => {
  const socket = await askForLarge(path, 'HEAD');
  const [head] = await once(socket.resume(), 'data');
  expect(String(head)).toMatch(new RegExp(`^HTTP/1.1 200 OK[^]*content-length: ${FILE.length}\r\n[^]*\r\n\r\n$`, 'i'));
});

it('resets the oldest connection that takes nothing of a file over TLS', async () => {
  await app.close();
  await listen({ ...BOUNDS, ofHolder: 2 * 65_536 });
  const first = await askForLarge('file');
  await askForLarge('file');
  expect(await connections()).toBe(2);
  await askForLarge('file');
  await expect.poll(connections).toBe(2);
  await once(first.resume(), 'close');
  expect(first.bytesRead).toBeLessThan(FILE.length / 2);
});
