import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { type ConnectionTurns, handOverInTurns, inputTurns } from './input-turns.ts';
import { RequestTurns } from './request-turns.ts';
import type { InTurn } from './reading-turn.ts';

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const LARGE_REQUEST = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(4_000)}\r\n\r\n`;

let server: Server;
/** The requests that came, by their order. */
let requests: IncomingMessage[];
/** Why connections were ended. */
let reasons: (string | undefined)[];

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Turns of which those for the end are as those for what is read. */
const alike = (inTurn: InTurn): ConnectionTurns => ({ read: inTurn, end: inTurn });

async function listen(turnsOf: (socket: Socket) => ConnectionTurns, clock?: () => number): Promise<void> {
  requests = [];
  reasons = [];
  server = createServer((asked, answer) => {
    requests.push(asked);
    void buffer(asked).then(
      (body) => answer.end(createHash('sha256').update(body).digest('hex')),
      () => {},
    );
  });
  Object.assign(server, { httpAllowHalfOpen: true });
  const listeners = server.listeners('connection');
  const serve = (socket: Socket): void => listeners.forEach((listener) => listener.call(server, socket));
  server.removeAllListeners('connection');
  server.on('connection', (socket) => handOverInTurns(socket, serve, turnsOf(socket), clock));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    reasons.push(code);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await once(server.listen(0, '0.0.0.0'), 'listening');
}

/** A client, of a network of its own where its address is another. */
function open(localAddress = '127.0.0.1'): Socket {
  return connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress }).on(
    'error',
    () => {},
  );
}

it('is parsed slice by slice, each in its turn where it takes long', async () => {
  const waiting: (() => void)[] = [];
  let now = 0;
  await listen(
    () => alike((read) => waiting.push(read)),
    () => (now += 0.1),
  );
  open().end(LARGE_REQUEST.repeat(3));
  for (const count of [0, 1, 2]) {
    await expect.poll(() => waiting).toHaveLength(1);
    expect(requests).toHaveLength(count);
    waiting.shift()?.();
    await nextTurn();
  }
  expect(requests).toHaveLength(3);
  // That of the end.
  await expect.poll(() => waiting).toHaveLength(1);
});

it('is parsed in one turn where that takes little time', async () => {
  let turns = 0;
  await listen(
    () =>
      alike((read) => {
        turns += 1;
        read();
      }),
    () => 0,
  );
  open().end(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50000\r\n\r\n${'x'.repeat(50_000)}`);
  await expect.poll(() => requests[0]?.complete).toBe(true);
  expect(turns).toBeLessThan(5);
});

it('has an end that the server learns of in its turn', async () => {
  const turns: (() => void)[] = [];
  let isHeld = false;
  await listen(() => alike((read) => (isHeld ? turns.push(read) : read())));
  const client = open();
  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nx');
  await expect.poll(() => requests).toHaveLength(1);
  isHeld = true;
  client.resetAndDestroy();
  await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
  expect(requests[0]?.destroyed).toBe(false);
  isHeld = false;
  for (const turn of turns) turn();
  await expect.poll(() => requests[0]?.destroyed).toBe(true);
});

it('has the requests of one network read beside megabytes of small chunks of another', async () => {
  let read = 0;
  let readBefore: number | undefined;
  const turns = new RequestTurns();
  await listen((socket) => inputTurns(turns, socket));
  server.prependListener('request', (asked: IncomingMessage) => {
    asked.on('data', ({ length }) => (read += length));
    if (asked.method === 'GET') readBefore = read;
  });
  const flood = Array.from({ length: 60 }, () => open('127.0.0.2'));
  const other = open();
  await Promise.all([...flood, other].map((socket) => once(socket, 'connect')));
  for (const socket of flood) {
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`,
    );
  }
  other.write(REQUEST);
  await expect.poll(() => read).toBe(600_000);
  expect(readBefore).toBeLessThan(200_000);
});

it('is what the client sent, whenever the turns come and somebody takes it', async () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 200_000, size: 'max' }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.infiniteStream(fc.integer({ min: -2, max: 3 })),
      fc.boolean(),
      async (sent, delays, isSlow) => {
        await listen(() => alike((begin) => void waitTurns(delays.next().value).then(begin, begin)));
        if (isSlow) server.prependListener('request', (asked: IncomingMessage) => void pauseBriefly(asked));
        const client = open();
        const answers = text(client);
        for (const body of sent) {
          client.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`);
          client.write(body);
        }
        client.end();
        const hashes = [...(await answers).matchAll(/[0-9a-f]{64}/g)].map(([hash]) => hash);
        expect(hashes).toEqual(sent.map((body) => createHash('sha256').update(body).digest('hex')));
        expect(reasons).toEqual([]);
        server.close();
      },
    ),
    { numRuns: 60 },
  );
});

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

async function pauseBriefly(asked: IncomingMessage): Promise<void> {
  asked.pause();
  await waitTurns(5);
  asked.resume();
}

it('is not parsed while answers wait for a client that does not take them', async () => {
  const turns = new RequestTurns();
  await listen((socket) => inputTurns(turns, socket));
  let answered = 0;
  server.removeAllListeners('request').on('request', (_asked, answer) => {
    answered += 1;
    answer.end('x'.repeat(100_000));
  });
  const client = open();
  client.write(REQUEST.repeat(1_000));
  await expect.poll(() => answered).toBeGreaterThan(0);
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(answered).toBeLessThan(500);
  client.end();
  expect((await text(client)).split('HTTP/1.1 200')).toHaveLength(1_001);
});

it('is not parsed any more after what can not be', async () => {
  const turns = new RequestTurns();
  await listen((socket) => inputTurns(turns, socket));
  const client = open();
  client.write(`nonsense\r\n\r\n${REQUEST.repeat(10_000)}`);
  expect(String(await once(client, 'data'))).toMatch(/^HTTP\/1.1 400/);
  client.write(REQUEST);
  await nextTurn();
  expect(reasons).toHaveLength(1);
  expect(requests).toEqual([]);
  client.destroy();
});

it('is that of the connection alone, when the turn of another one comes after its close, whose parser it has', async () => {
  const turns: (() => void)[] = [];
  let isHeld = false;
  await listen(() => alike((read) => (isHeld ? turns.push(read) : read())));
  const first = open();
  first.write(REQUEST);
  await once(first, 'data');
  isHeld = true;
  first.end();
  await expect.poll(() => turns).toHaveLength(1);
  requests[0]?.socket.destroy();
  await expect.poll(() => turns).toHaveLength(2);
  isHeld = false;
  // The close before the end.
  turns.pop()?.();
  const other = open();
  other.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 10\r\n\r\n12345');
  await expect.poll(() => requests).toHaveLength(2);
  turns.pop()?.();
  other.write('67890');
  expect(await text(other)).toMatch(/^HTTP\/1\.1 200 /);
  expect(reasons).toEqual([]);
});
