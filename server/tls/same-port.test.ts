import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { OwnCertificate } from './own-certificate.ts';
import { RequestTurns } from '../http/request-turns.ts';
import { serveTlsToo } from './same-port.ts';

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
/** For tests that wait for it. */
const SHORT_MS = 200;

const logger = pino({ level: 'silent' });
let server: Server;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  await listen();
});
afterEach(close);

async function listen(bounds: { handshakeMs?: number; turns?: RequestTurns } = {}): Promise<void> {
  server = createServer((request, response) => response.end(request.socket instanceof TLSSocket ? 'tls' : 'plain'));
  const certificate = new OwnCertificate({ host: '127.0.0.1', file: undefined, clock: Date.now, logger });
  // Making it is no part of a handshake's time.
  await certificate.current();
  serveTlsToo(server, { turns: new RequestTurns(), certificate, logger, ...bounds });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

function close(): void {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
}

/** Another server, with a bound that tests can wait for. */
async function listenImpatiently(): Promise<void> {
  close();
  await listen({ handshakeMs: SHORT_MS });
}

function port(): number {
  return (server.address() as AddressInfo).port;
}

async function openPlain(): Promise<Socket> {
  const socket = connect(port(), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function openTls(over?: Duplex): Promise<TLSSocket> {
  const where = over === undefined ? { port: port(), host: '127.0.0.1' } : { socket: over };
  const socket = connectTls({ ...where, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
  sockets.push(socket.on('error', () => {}));
  await once(socket, 'secureConnect');
  return socket;
}

/** Sends the text and reads until so many answers are there. */
async function ask(socket: Socket, text: string, answers = 1): Promise<string> {
  let read = '';
  const all = new Promise<void>((resolve, reject) => {
    socket.on('data', (bytes: Buffer) => {
      read += bytes.toString();
      if (read.split('\r\n\r\n').length > answers) resolve();
    });
    socket.once('close', () => reject(new Error(`The connection was closed after: ${read}`)));
  });
  socket.write(text);
  await all;
  return read;
}

/** Resolves when nothing more comes on the connection, whichever side has ended it, and how. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.resume().once('close', resolve));
}

/** The bytes with which a client begins TLS. */
async function clientHello(): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const end = new Duplex({ read() {}, write: (bytes: Buffer) => resolve(bytes) });
  const client = connectTls({ socket: end, servername: 'localhost' }).on('error', () => {});
  const hello = await promise;
  client.destroy();
  return hello;
}

it('serves both on one port, side by side, with HTTP/1.1 agreed on', async () => {
  const [plain, secure] = await Promise.all([openPlain(), openTls()]);
  expect(secure.alpnProtocol).toBe('http/1.1');
  expect(await ask(plain, REQUEST)).toMatch(/plain$/);
  expect(await ask(secure, REQUEST)).toMatch(/tls$/);
});

it('answers several requests on a connection, also when they come at once', async () => {
  for (const socket of [await openPlain(), await openTls()]) {
    await ask(socket, REQUEST);
    expect((await ask(socket, REQUEST.repeat(5), 5)).split('HTTP/1.1 200')).toHaveLength(6);
  }
});

it('takes requests that come byte by byte, and a client that says at once that no more will follow', async () => {
  const slow = await openPlain();
  slow.setNoDelay();
  for (const byte of REQUEST.slice(0, -1)) {
    slow.write(byte);
    await nextTurn();
  }
  expect(await ask(slow, REQUEST.slice(-1))).toMatch(/plain$/);

  const hasty = await openPlain();
  const answered = ask(hasty, REQUEST);
  hasty.end();
  expect(await answered).toMatch(/plain$/);
});

it('closes a connection whose headers come in thousands of records, whoever sends them', async () => {
  const socket = await openTls();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let answers = 0;
  socket.on('data', () => (answers += 1));
  for (const byte of `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(2_000)}\r\n\r\n`) {
    // What is written while the byte before is on its way would come in one record.
    await new Promise((resolve) => socket.write(byte, resolve));
  }
  await closed;
  expect(answers).toBe(0);
});

it('takes a TLS hello that comes byte by byte', async () => {
  const raw = await openPlain();
  raw.setNoDelay();
  const byByte = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      const send = async (): Promise<void> => {
        for (const byte of bytes) {
          raw.write(Buffer.of(byte));
          await nextTurn();
        }
      };
      send().then(() => done(), done);
    },
  });
  raw.on('data', (bytes: Buffer) => byByte.push(bytes));
  const secure = await openTls(byByte);
  raw.setNoDelay(false);
  expect(secure.authorized).toBe(false);
});

it.each([
  ['', (socket: Socket, half: Buffer) => socket.write(half)],
  [', with the end of what the client sends', (socket: Socket, half: Buffer) => socket.end(half)],
])('closes a connection whose hello stays half%s', async (_how, send) => {
  await listenImpatiently();
  const socket = await openPlain();
  send(socket, (await clientHello()).subarray(0, 100));
  await closed(socket);
});

it('bounds the time of a whole hello, not that between its bytes', async () => {
  await listenImpatiently();
  const hello = await clientHello();
  const socket = await openPlain();
  let sent = 0;
  const drip = setInterval(() => socket.write(hello.subarray(sent, (sent += 1))), 10);
  await closed(socket);
  clearInterval(drip);
  expect(sent).toBeLessThan(hello.length);
});

it('closes a connection that sends nothing after the time that the server gives', async () => {
  server.timeout = SHORT_MS;
  await closed(await openPlain());
});

it.each([
  ['no record', Buffer.from([0x16, ...Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')])],
  ['a record with no hello', Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])],
  ['much of anything', Buffer.alloc(300_000, 0x16)],
])('closes what begins as TLS and is none (%s), and serves the others', async (_what, bytes) => {
  const socket = await openPlain();
  socket.end(bytes);
  await closed(socket);
  expect(await ask(await openTls(), REQUEST)).toMatch(/tls$/);
});

it('keeps no connection of a client that has left, at whatever point', async () => {
  const hello = await clientHello();
  const opened = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  for (const length of [1, 60, hello.length]) {
    const socket = await openPlain();
    socket.end(hello.subarray(0, length));
    await closed(socket);
    await expect.poll(opened).toBe(0);
  }
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const raw = await openPlain();
    const secure = connectTls({ socket: raw, rejectUnauthorized: false, maxVersion }).on('error', () => {});
    await once(secure, 'secureConnect');
    // Without the `close_notify` with which TLS ends.
    raw.destroy();
    await expect.poll(opened).toBe(0);
  }
});

it('answers a client over TLS that says at once that no more will follow', async () => {
  const hasty = await openTls();
  const answered = ask(hasty, REQUEST);
  hasty.end();
  expect(await answered).toMatch(/tls$/);
});

it('survives clients that leave at any point', async () => {
  const hello = await clientHello();
  for (const length of [0, 1, 5, hello.length]) {
    const socket = await openPlain();
    if (length > 0) socket.write(hello.subarray(0, length));
    socket.resetAndDestroy();
    await closed(socket);
  }
  const secure = await openTls();
  secure.destroy();
  expect(await ask(await openTls(), REQUEST)).toMatch(/tls$/);
});

it('counts connections of both kinds against one bound', async () => {
  server.maxConnections = 2;
  const secure = await openTls();
  await ask(secure, REQUEST);
  await ask(await openPlain(), REQUEST);
  await closed(await openPlain());
  await expect(openTls()).rejects.toThrow(/disconnected|ECONNRESET/);
  const gone = once(server, 'connection');
  secure.destroy();
  await expect.poll(() => openTls().catch(() => undefined)).toBeDefined();
  await gone;
});

it('refuses TLS 1.1', async () => {
  const socket = connectTls({
    port: port(),
    host: '127.0.0.1',
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: expect.stringMatching(/PROTOCOL_VERSION/) });
});

it('closes idle connections of both kinds with the server, also those that have sent nothing or part of a hello, and no others', async () => {
  const begun = await openPlain();
  begun.write((await clientHello()).subarray(0, 100));
  const idle = [await openPlain(), await openPlain(), await openTls(), await openTls(), begun];
  for (const socket of idle.slice(1, 3)) await ask(socket, REQUEST);
  const busy = await openTls();
  busy.write('GET / HTTP/1.1\r\n');
  await ask(await openPlain(), REQUEST);
  const end = once(server, 'close');
  server.close();
  await Promise.all(idle.map(closed));
  expect(await ask(busy, 'host: x\r\nconnection: close\r\n\r\n')).toMatch(/tls$/);
  await end;
});

it('cuts off all connections when asked to, also in the middle of a handshake', async () => {
  const half = await openPlain();
  half.write((await clientHello()).subarray(0, 100));
  const all = [half, await openPlain(), await openTls()];
  server.close();
  server.closeAllConnections();
  await Promise.all(all.map(closed));
});

it('does not close as idle what has sent something that waits for its first turn', async () => {
  close();
  const later: (() => void)[] = [];
  let now = 0;
  const turns = new RequestTurns({ clock: () => (now += 10), nextTurn: (callback) => void later.push(callback) });
  // It takes all of the time that there is in this turn.
  turns.add({ holder: 'requests', part: '' }, () => {});
  await listen({ turns });
  const asking = await openPlain();
  const silent = await openPlain();
  const answer = ask(asking, REQUEST);
  await expect.poll(() => server.listenerCount('connection') > 0 && asking.bytesWritten).toBe(REQUEST.length);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  server.closeIdleConnections();
  await once(silent, 'close');
  const giveTurns = setInterval(() => later.shift()?.(), 1);
  onTestFinished(() => clearInterval(giveTurns));
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});
