import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildListener } from './listener.ts';
import { RequestTurns } from './request-turns.ts';

const GET_STREAMED = 'GET /streamed HTTP/1.1\r\nhost: x\r\n\r\n';
const POST = 'POST /done HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

/** What gets no further, and how it is answered. */
const UNSERVED: Record<string, { request: string; status: number }> = {
  CONNECT: { request: 'CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n', status: 405 },
  'an unknown expectation': { request: 'GET /done HTTP/1.1\r\nhost: x\r\nexpect: z\r\n\r\n', status: 417 },
  'what is no request': { request: '\0\0\0\r\n\r\n', status: 400 },
  'a bad trailer': {
    request: 'POST /done HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\ncontent-length: 3\r\n\r\n',
    status: 400,
  },
  'a bad chunk': {
    request: 'POST /done HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nx\r\n',
    status: 400,
  },
};

let app: FastifyInstance;
let streamed: PassThrough;
let done: number;

beforeEach(async () => {
  [streamed, done] = [new PassThrough(), 0];
  app = await buildListener({
    logger: pino({ level: 'silent' }),
    maxConnections: 10,
    closes: 'all',
    inTurns: { turns: new RequestTurns(), shareOf: () => ({ holder: 'one', part: '' }) },
  });
  app.get('/streamed', (_request, reply) => reply.send(streamed));
  const count = async (): Promise<string> => {
    done += 1;
    await new Promise<void>((resolve) => setImmediate(resolve));
    return 'done';
  };
  app.get('/done', count);
  app.post('/done', count);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

function open(): Socket {
  return connect((app.server.address() as AddressInfo).port, '127.0.0.1');
}

const statuses = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);

describe.each(Object.entries(UNSERVED))('%s', (_name, { request, status }) => {
  it('is answered behind a reply that is being sent, which stays whole', async () => {
    const socket = open();
    const received = text(socket);
    socket.write(GET_STREAMED);
    streamed.write('begun; ');
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
    socket.write(request);
    // By its answer the request above has been read, too.
    const other = open();
    other.write('GET /done HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await text(other)).toContain('done');
    streamed.end('ended');
    const answers = await received;
    expect(answers).toMatch(/begun; \r\n5\r\nended\r\n0\r\n\r\nHTTP/);
    expect(statuses(answers)).toEqual(['200', String(status)]);
  });

  it('is answered behind what was to be done before it', async () => {
    const socket = open();
    socket.write(`${POST}${POST}${request}`);
    expect(statuses(await text(socket))).toEqual(['200', '200', String(status)]);
    expect(done).toBe(2);
  });

  it('has nothing done that comes behind it', async () => {
    const socket = open();
    socket.write(`${POST}${request}${POST}`);
    expect(statuses(await text(socket))).toEqual(['200', String(status)]);
    expect(done).toBe(1);
  });
});
