import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Behaviour, type Reply, toBytes, correct } from '../service/behaviour.ts';
import type { Difference } from '../fault.ts';

const delivers = (name: string, does: string, deliver: Behaviour['deliver']): Difference => ({
  name,
  does,
  change: () => ({ deliver }),
});

const packs =
  (coding: string, pack: (bytes: Buffer) => Buffer): Behaviour['deliver'] =>
  (reply, response, call) =>
    correct.deliver(
      { ...reply, headers: { ...reply.headers, 'content-encoding': coding }, body: pack(toBytes(reply.body)) },
      response,
      call,
    );

const writeFields = ({ headers }: Reply): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name.toUpperCase()}: ${value}\r\n`)
    .join('');

/** What the documents leave open about the connection. */
export const wire: readonly Difference[] = [
  delivers('chunked', 'sends bodies in chunks', ({ status, headers, body }, response) => {
    const bytes = toBytes(body);
    response.writeHead(status, headers);
    for (let at = 0; at < bytes.length; at += 7_001) response.write(bytes.subarray(at, at + 7_001));
    response.end();
  }),
  delivers('connection-close', 'closes every connection', (reply, response, call) =>
    correct.deliver({ ...reply, headers: { ...reply.headers, connection: 'close' } }, response, call),
  ),
  delivers('idle-connections-closed', 'closes connections that are idle, without a word', (reply, response, call) => {
    const { socket } = response;
    response.once('finish', () => setTimeout(() => socket?.destroy(), 2));
    correct.deliver(reply, response, call);
  }),
  delivers('http-1-0', 'answers in HTTP/1.0, where the end of the connection ends the body', (reply, response) => {
    response.socket?.write(`HTTP/1.0 ${reply.status} OK\r\n${writeFields(reply)}\r\n`);
    response.socket?.end(toBytes(reply.body));
  }),
  delivers('no-reason', 'gives no reason with a status, and header names in capitals', (reply, response) => {
    const bytes = toBytes(reply.body);
    response.socket?.write(`HTTP/1.1 ${reply.status} \r\n${writeFields(reply)}CONTENT-LENGTH: ${bytes.length}\r\n\r\n`);
    response.socket?.end(bytes);
  }),
  delivers('early-hints', 'sends a provisional answer first', (reply, response, call) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    correct.deliver(reply, response, call);
  }),
  delivers('takes-its-time', 'takes 30 ms for every answer', (reply, response, call) => {
    setTimeout(() => correct.deliver(reply, response, call), 30);
  }),
  delivers('always-packed-br', 'packs bodies with Brotli', packs('br', brotliCompressSync)),
  delivers('always-packed-deflate', 'packs bodies with deflate', packs('deflate', deflateSync)),
  delivers('always-packed-raw', 'packs bodies with deflate, without its head', packs('deflate', deflateRawSync)),
  delivers('always-packed-zstd', 'packs bodies with Zstandard', packs('zstd', zstdCompressSync)),
  delivers(
    'always-packed-twice',
    'packs bodies twice',
    packs('gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))),
  ),
  delivers(
    'identity-said',
    'says that a body is not packed',
    packs('identity', (bytes) => bytes),
  ),
  delivers('continues', 'sends 100 Continue though nobody waits for it', (reply, response, call) => {
    response.writeContinue();
    correct.deliver(reply, response, call);
  }),
  delivers('with-trailers', 'sends trailers after a body in chunks', ({ status, headers, body }, response) => {
    response.writeHead(status, { ...headers, trailer: 'x-digest', 'transfer-encoding': 'chunked' });
    response.write(toBytes(body));
    response.addTrailers({ 'x-digest': 'none' });
    response.end();
  }),
  delivers('by-pieces', 'sends an answer in small pieces', (reply, response) => {
    const bytes = Buffer.concat([
      Buffer.from(`HTTP/1.1 ${reply.status} X\r\n${writeFields(reply)}\r\n`),
      toBytes(reply.body),
    ]);
    const size = Math.ceil(bytes.length / 5);
    for (let at = 0; at < bytes.length; at += size) response.socket?.write(bytes.subarray(at, at + size));
    response.socket?.end();
  }),
  delivers('always-packed', 'packs bodies, whatever the client takes', packs('gzip', gzipSync)),
  delivers('offers-upgrade', 'offers HTTP/2 with every answer', (reply, response, call) =>
    correct.deliver(
      { ...reply, headers: { ...reply.headers, upgrade: 'h2,h2c', connection: 'Upgrade' } },
      response,
      call,
    ),
  ),
  delivers('refusals-take-longer', 'takes 100 ms for each 401', (reply, response, call) => {
    setTimeout(() => correct.deliver(reply, response, call), reply.status === 401 ? 100 : 0);
  }),
];
