import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorOf } from '../testing/error-of.ts';
import { openPostgres } from './database.ts';

/** What a PostgreSQL, or a proxy before it, answers to whoever signs on; then it waits. */
let answer: Buffer;
let server: Server;
let url: string;
const open = new Set<Socket>();
let opened: number;

beforeEach(async () => {
  opened = 0;
  server = createServer((socket) => {
    opened += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', () => socket.write(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing?connect_timeout=30`;
});

afterEach(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

function message(kind: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(kind, 'latin1');
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

/** AuthenticationSASL, with the mechanisms that are offered. */
const offer = (...mechanisms: string[]): Buffer =>
  message('R', Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from(`${mechanisms.join('\0')}\0\0`)]));

test.each<[string, Buffer, RegExp]>([
  ['a mechanism that is not known', offer('OAUTHBEARER'), /SASL/],
  ['an authentication that is not known', message('R', Buffer.from([0, 0, 0, 99])), /authentication/i],
  ['an error', message('E', Buffer.from('SFATAL\0C28P01\0MNo.\0\0')), /No\./],
])(
  'a server that offers %s, and waits, has the connection closed, and that is the error',
  async (_what, bytes, error) => {
    answer = bytes;
    expect(String(await errorOf(openPostgres(url)))).toMatch(error);
    expect(opened).toBeGreaterThan(0);
    await expect.poll(() => open.size).toBe(0);
  },
);

test('a server that asks for a password that nobody has given has the connection closed', async () => {
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', () => {
      socket.write(offer('SCRAM-SHA-256'));
      socket.once('data', (sent) => {
        const nonce = /r=([^\0]+)$/.exec(sent.toString('latin1'))?.[1] ?? '';
        const first = Buffer.from(`r=${nonce}abc,s=AAAA,i=4096`);
        socket.write(message('R', Buffer.concat([Buffer.from([0, 0, 0, 11]), first])));
      });
    });
  });
  expect(String(await errorOf(openPostgres(url)))).toMatch(/client password must be a/);
  await expect.poll(() => open.size).toBe(0);
});
