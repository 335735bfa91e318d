import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { rawRequest } from '../../test/support/raw-request.ts';
import { buildListener } from './listener.ts';

const LONG_MS = 3_600_000;

let app: FastifyInstance;
let origin: string;

/** Nothing runs out, however slow the machine is, but what the test waits for. */
async function listen({ requestMs = LONG_MS, keepAliveMs = LONG_MS }): Promise<void> {
  app = await buildListener({
    logger: pino({ level: 'silent' }),
    maxConnections: 10,
    arrival: { request: requestMs, idle: LONG_MS, lookEvery: 50, rest: LONG_MS },
  });
  // Fastify sets none for connections that have been used.
  app.server.keepAliveTimeout = keepAliveMs;
  app.post('/', async () => ({ taken: true }));
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
}
afterEach(() => app.close());

const HEADERS = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n';

it.each([
  ['a line', 'POST / HT'],
  ['headers', HEADERS],
  ['a body', `${HEADERS}\r\n{"a"`],
  [
    'the chunks of a body',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n',
  ],
  ['all', ''],
  ['the rest, behind an answer', `${HEADERS}\r\n{"a": 10}${HEADERS}`],
])('a request of which %s stays away is answered with 408, and its connection ends', async (_what, text) => {
  await listen({ requestMs: 200 });
  expect(await rawRequest(origin, text)).toMatch(
    /HTTP\/1\.1 408 Request Timeout\r\n[^]*x-request-id: [^]*\{"error":"The request took too long to arrive\."\}$/,
  );
});

it('a connection on which nothing more happens is closed without a word', async () => {
  await listen({ keepAliveMs: 100 });
  expect(await rawRequest(origin, `${HEADERS}\r\n{"a": 10}`)).toMatch(/^HTTP\/1\.1 200 OK[^]*\{"taken":true\}$/);
});
