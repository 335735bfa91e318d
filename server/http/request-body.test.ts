import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { rawRequest } from '../../test/support/raw-request.ts';
import { arrivingInput } from './arriving-input.ts';
import { buildListener } from './listener.ts';

const LONG = 60_000;
/** Longer than a test lasts. */
const NEVER = 1_000_000;
const CHUNKED =
  'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';
const EARLY = 'POST /early HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
const UNREADABLE = 'ZZ\r\n';
const END = '0\r\n\r\n';

const early = (length: number) => `POST /early HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`;

let app: FastifyInstance;
let origin: string;

async function listen(rest = LONG): Promise<void> {
  app = await buildListener({
    logger: pino({ level: 'silent' }),
    maxConnections: 10,
    closes: 'all',
    arrival: { request: LONG, idle: LONG, lookEvery: 10_000, rest },
  });
  app.post<{ Body: string }>('/', async ({ body }) => ({ read: body.length }));
  app.get('/names', async ({ query }) => ({ names: Object.keys(Object(query)).length }));
  app.post('/late', { onRequest: answerLate }, async () => ({}));
  app.get('/unreadable', (_request, reply) => served.unreadable(reply));
  app.post('/early', { onRequest: async (_request, reply) => reply.code(401).send({}) }, async () => ({}));
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
}
afterEach(() => app.close());

/** Answers once as much of the body has arrived as is read before anybody asks for it. */
async function answerLate({ raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await expect.poll(() => raw.readableLength, { interval: 1 }).toBeGreaterThanOrEqual(raw.readableHighWaterMark);
  return reply.code(401).send({});
}

const served = {
  /** Answers once the body is known to be unreadable. */
  unreadable: async (reply: FastifyReply): Promise<FastifyReply> => {
    await expect.poll(() => reply.raw.getHeader('connection')).toBe('close');
    return reply.code(204).send();
  },
};

const chunks = (count: number, size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count);

/** A connection whose request has its answer before its body. */
async function answeredEarly(text = EARLY) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  let read = '';
  socket.on('data', (bytes: Buffer) => (read += bytes.toString()));
  socket.write(text);
  await expect.poll(() => read).toMatch(/^HTTP\/1.1 401/);
  return { socket, read: () => read, answers: () => read.match(/HTTP\/1\.1 \d+/g) };
}

/** Resolves when the server has closed it, or reset it. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

it('answers a body of too many small pieces with 400, and closes the connection', async () => {
  await listen();
  expect(await rawRequest(origin, CHUNKED + chunks(1_100, 1))).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\n[^]*\{"error":"The body [^"]* Send it in larger chunks\."\}$/,
  );
});

it.each([
  ['few small pieces', 1_000, 1],
  ['many of reasonable size', 1_800, 512],
])('takes %s', async (_what, count, size) => {
  await listen();
  expect(await rawRequest(origin, CHUNKED + chunks(count, size) + END)).toContain(`{"read":${count * size}}`);
});

it('reads the bodies of later connections, whose parsers are those of refused requests', async () => {
  await listen();
  for (let time = 0; time < 5; time += 1) {
    expect(await rawRequest(origin, CHUNKED + chunks(2_000, 1))).toMatch(/^HTTP\/1\.1 400/);
    expect(await rawRequest(origin, CHUNKED + chunks(10, 1) + END)).toContain('{"read":10}');
  }
});

it.each([
  ['in too many small pieces', () => chunks(2_000, 1)],
  ['longer than any body that is accepted', () => chunks(80, 65_536)],
])('closes a connection after an early answer if the rest of the body is %s', async (_what, rest) => {
  await listen();
  const { socket, answers } = await answeredEarly();
  socket.write(rest());
  await closed(socket);
  expect(answers()).toEqual(['HTTP/1.1 401']);
});

it('closes a connection whose body is too long to be read to its end, also where much had come before the answer', async () => {
  await listen();
  const { socket, answers } = await answeredEarly(EARLY.replace('/early', '/late') + chunks(160, 65_536));
  await closed(socket);
  expect(answers()).toEqual(['HTTP/1.1 401']);
});

it('closes a connection without another answer if the rest of a body is unreadable after an early one', async () => {
  await listen(NEVER);
  const { socket, answers } = await answeredEarly();
  socket.write(UNREADABLE);
  await closed(socket);
  expect(answers()).toEqual(['HTTP/1.1 401']);
});

it('closes a connection at once after the answer if the body has been unreadable before', async () => {
  await listen(NEVER);
  const begun = vi.spyOn(served, 'unreadable');
  onTestFinished(() => begun.mockRestore());
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  let read = '';
  socket.on('data', (bytes: Buffer) => (read += bytes.toString()));
  socket.write(EARLY.replace('POST /early', 'GET /unreadable'));
  await expect.poll(() => begun.mock.calls).toHaveLength(1);
  socket.write(UNREADABLE);
  await closed(socket);
  expect(read.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 204']);
});

it('closes a connection after an early answer if the rest of the body does not arrive in time', async () => {
  await listen(100);
  const { socket, answers } = await answeredEarly();
  await closed(socket);
  expect(answers()).toEqual(['HTTP/1.1 401']);
});

it('reads the rest of a body a part in each turn of the event loop, as others are served between', async () => {
  await listen();
  const accepted = once(app.server, 'connection');
  const { socket } = await answeredEarly(early(45 * 65_536));
  const [server] = (await accepted) as [Socket];
  let most = 0;
  let read = server.bytesRead;
  let looking = setImmediate(function look() {
    most = Math.max(most, server.bytesRead - read);
    read = server.bytesRead;
    looking = setImmediate(look);
  });
  const begun = read;
  socket.write('x'.repeat(45 * 65_536));
  await expect.poll(() => server.bytesRead - begun).toBe(45 * 65_536);
  clearImmediate(looking);
  expect(most).toBeLessThanOrEqual(4 * 65_536);
});

it('takes any number of small bodies on a connection, each in one piece', async () => {
  await listen();
  const small = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 1\r\n\r\nx';
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let answers = 0;
  const all = new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error(`closed after ${answers}`)));
    socket.on('data', () => {
      answers += 1;
      if (answers === 2_500) resolve();
      else socket.write(small);
    });
  });
  socket.write(small);
  await all.finally(() => socket.destroy());
});

it('counts the pieces of all bodies of a connection', async () => {
  await listen();
  const some = CHUNKED.replace('connection: close\r\n', '') + chunks(700, 1) + END;
  expect(await rawRequest(origin, some + some)).toMatch(/"read":700\}[^]*HTTP\/1\.1 400 Bad Request/);
});

it('serves the next request of a connection after the rest of a body', async () => {
  await listen();
  const { socket, read, answers } = await answeredEarly(early(2_000_000));
  expect(read()).toContain('\r\nConnection: keep-alive\r\n');
  const end = once(socket, 'close');
  socket.write('x'.repeat(2_000_000) + CHUNKED + END);
  await end;
  expect(answers()).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});

it.each([
  ['longer than is read after an answer', early(4_194_305), 'x'.repeat(1_000_000), 'x'.repeat(3_194_305)],
  ['of a length that nobody knows', EARLY, chunks(10, 65_536), END],
  [
    'of a client that asks no more',
    early(1_000_000).replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'),
    '',
    'x'.repeat(1_000_000),
  ],
])(
  'says that it closes a connection after an early answer, which is read, if the body is %s',
  async (_what, head, some, rest) => {
    await listen();
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    const ended = once(socket, 'end');
    const failed = once(socket, 'error');
    // As clients do that send all before they read.
    socket.pause().write(head + some);
    await new Promise<void>((resolve) => void socket.write(rest, () => resolve()));
    let read = '';
    socket.on('data', (bytes: Buffer) => (read += bytes.toString())).resume();
    await Promise.race([ended, failed.then(([error]) => Promise.reject(error))]);
    expect(read).toMatch(/^HTTP\/1\.1 401 [^]*\r\nConnection: close\r\n[^]*\{\}$/);
    await closed(socket);
  },
);

it('counts the headers of a request as what has arrived, until its body is whole', async () => {
  await listen();
  const add = vi.spyOn(arrivingInput, 'add');
  const remove = vi.spyOn(arrivingInput, 'remove');
  onTestFinished(() => void vi.restoreAllMocks());
  const lines = Array.from({ length: 100 }, (_, index) => `x-${index}: ${'y'.repeat(50)}\r\n`).join('');
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 3\r\n${lines}\r\n`);
  // Each line is two texts, and takes their memory too.
  await expect.poll(() => Math.max(0, ...add.mock.calls.map(([, bytes]) => bytes))).toBeGreaterThan(100 * (50 + 128));
  const [request] = add.mock.calls[0] ?? [];
  expect(remove.mock.calls).not.toContainEqual([request]);
  socket.write('abc');
  await once(socket, 'data');
  expect(remove.mock.calls.some(([removed]) => removed === request)).toBe(true);
  socket.destroy();
});

it('makes no object of the names that a URL holds', async () => {
  await listen();
  const names = Array.from({ length: 2_000 }, (_, index) => `n${index}`).join('&');
  const answer = await fetch(`${origin}/names?${names}`);
  expect(await answer.json()).toEqual({ names: 0 });
});
