import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BoundedRecords } from './bounded-records.ts';
import { OwnCertificate } from './own-certificate.ts';
import { RequestTurns } from '../http/request-turns.ts';
import { serveTlsToo } from './same-port.ts';
import { RecordWriter } from './testing/sealed-records.ts';

const LONG_MS = 3_600_000;
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

const logger = pino({ level: 'silent' });
let server: Server;
/** The requests that came, by their order. */
let requests: IncomingMessage[];
/** Why connections were ended. */
let reasons: (string | undefined)[];

beforeEach(async () => {
  requests = [];
  reasons = [];
  server = createServer((asked, answer) => {
    requests.push(asked);
    void buffer(asked).then(
      (body) => answer.end(createHash('sha256').update(body).digest()),
      () => {},
    );
  });
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    reasons.push(code);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  const certificate = new OwnCertificate({ host: '127.0.0.1', file: undefined, clock: Date.now, logger });
  serveTlsToo(server, { turns: new RequestTurns(), certificate, logger, handshakeMs: LONG_MS });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;

it('of a client that changes its keys a few times are read, and the addresses are those of the connection below', async () => {
  const client = await RecordWriter.open(port());
  for (let count = 0; count < 10; count += 1) client.keyUpdate();
  client.data(REQUEST);
  expect(String(await once(client.socket, 'data'))).toMatch(/^HTTP\/1.1 200/);
  const { remoteAddress, remotePort, localPort } = requests[0]?.socket ?? {};
  expect({ remoteAddress, remotePort, localPort }).toEqual({
    remoteAddress: '127.0.0.1',
    remotePort: client.socket.localPort,
    localPort: port(),
  });
  client.socket.destroy();
});

it.each<[string, (client: RecordWriter, index: number) => void]>([
  ['change keys', (client) => client.keyUpdate()],
  ['change keys, in large records', (client) => client.keyUpdate(10_000)],
  [
    'change keys, beside some with data',
    (client, index) => client.keyUpdate().data(index === 0 ? 'GET / HTTP/1.1\r\nx: ' : 'a'.repeat(64)),
  ],
  ['have no data', (client) => client.data('')],
  ['have a byte each', (client, index) => client.data(REQUEST[index] ?? '\r')],
])('that %s are no longer read when there are too many', async (_what, send) => {
  const client = await RecordWriter.open(port());
  const closed = new Promise((resolve) => client.socket.resume().once('close', resolve));
  for (let index = 0; index < 1_200; index += 1) send(client, index);
  await closed;
  expect(reasons).toEqual(['SMALL_RECORDS']);
});

it('of a hello that comes in one for each byte close the connection', async () => {
  const raw = connect(port(), '127.0.0.1').setNoDelay();
  raw.on('error', () => {});
  const split = new Duplex({
    read() {},
    write([type = 0, major = 0, minor = 0, , , ...bytes]: Buffer, _encoding, done) {
      for (const byte of bytes) raw.write(Buffer.of(type, major, minor, 0, 1, byte));
      done();
    },
  });
  const client = connectTls({ socket: split, servername: 'localhost' }).on('error', () => {});
  await once(raw.resume(), 'close');
  client.destroy();
});

it('of a hello that is longer than any close the connection before all of it has come', async () => {
  const client = connect(port(), '127.0.0.1').on('error', () => {});
  // A hello of 120,000 bytes, in records of 16,000.
  const hello = Buffer.concat([Buffer.of(1, 1, 0xd4, 0xc0), Buffer.alloc(120_000)]);
  for (let from = 0; from < 32_000; from += 16_000)
    client.write(Buffer.concat([Buffer.of(22, 3, 1, 0x3e, 0x80), hello.subarray(from, from + 16_000)]));
  await once(client.resume(), 'close');
  expect(requests).toEqual([]);
});

it('do not begin the handshake anew', async () => {
  const client = connectTls({ port: port(), host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
  await once(client, 'secureConnect');
  const refused = new Promise<unknown>((resolve) => client.on('error', resolve));
  client.renegotiate({ rejectUnauthorized: false }, () => {});
  expect(String(await refused)).toMatch(/renegotiation/i);
  client.destroy();
});

it('are read when it is their turn', async () => {
  const waiting: (() => void)[] = [];
  const passed: Buffer[] = [];
  const accepting = createTcpServer((socket) => {
    const records = new BoundedRecords(socket, { inTurn: (read) => waiting.push(read), tooMany: () => {} });
    records.on('data', (bytes) => passed.push(bytes));
  });
  await once(accepting.listen(0, '127.0.0.1'), 'listening');
  const client = connect((accepting.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  const record = Buffer.of(22, 3, 1, 0, 2, 7, 7);
  client.write(Buffer.concat([record, record]));
  for (const count of [1, 2]) {
    await expect.poll(() => waiting).toHaveLength(1);
    expect(passed).toHaveLength(count - 1);
    waiting.shift()?.();
    expect(passed).toHaveLength(count);
  }
  expect(passed).toEqual([record, record]);
  client.destroy();
  accepting.close();
});

it('are all read before the end, also when both came while others waited for their turns', async () => {
  const waiting: (() => void)[] = [];
  const passed: Buffer[] = [];
  let connection: Socket | undefined;
  let hasEnded = false;
  const accepting = createTcpServer({ allowHalfOpen: true }, (socket) => {
    connection = socket;
    const records = new BoundedRecords(socket, { inTurn: (read) => waiting.push(read), tooMany: () => {} });
    records.on('data', (bytes) => passed.push(bytes)).on('end', () => (hasEnded = true));
  });
  await once(accepting.listen(0, '127.0.0.1'), 'listening');
  const client = connect((accepting.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  const record = Buffer.of(22, 3, 1, 0, 2, 7, 7);
  client.write(record);
  await expect.poll(() => waiting).toHaveLength(1);
  client.end(Buffer.concat([record, record, record]));
  await expect.poll(() => connection?.readableLength).toBe(3 * record.length);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  // Of four records and the end.
  for (let count = 0; count < 5; count += 1) {
    await expect.poll(() => waiting).not.toEqual([]);
    waiting.shift()?.();
    await nextTurn();
  }
  await expect.poll(() => hasEnded).toBe(true);
  expect(passed).toHaveLength(4);
  client.destroy();
  accepting.close();
});

it.each([...Array.from({ length: 16 }, (_, index) => 60_000 + 10_000 * index), 3_000_000])(
  'of a body of %i bytes are all read, as fast as somebody reads them, also of a client that sends nothing more',
  async (length) => {
    const body = randomBytes(length);
    const client = connectTls({ port: port(), host: '127.0.0.1', rejectUnauthorized: false });
    const answer = buffer(client);
    client.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`);
    await expect.poll(() => requests).toHaveLength(1);
    requests[0]?.pause();
    client.end(body);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    requests[0]?.resume();
    const digest = (await answer).subarray(-32);
    expect(reasons).toEqual([]);
    expect(digest).toEqual(createHash('sha256').update(body).digest());
  },
);
