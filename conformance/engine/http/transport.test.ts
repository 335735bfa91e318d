import { once } from 'node:events';
import http2, { type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type Outcome, exchange } from './client.ts';
import { certificate, privateKey } from './testing/certificate.ts';
import { type TransportOptions, openTransport } from './transport.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const identity = { cert: certificate, key: privateKey };
/** For a server that leaves it at that, and for all others. */
const [SHORT_MS, LONG_MS] = [300, 3_600_000];

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

/** A server of HTTP/2 in cleartext that does with each stream what is given. */
function listenHttp2(answer: (stream: ServerHttp2Stream, headers: readonly string[]) => void): Promise<string> {
  const server = http2.createServer({ strictSingleValueFields: false });
  server.on('session', (session: ServerHttp2Session) => session.on('error', () => {}));
  server.on('stream', (stream: ServerHttp2Stream, _headers, _flags, raw: string[]) => {
    stream.on('error', () => {});
    answer(stream, raw);
  });
  return listen(server);
}

function ask(url: string, options: TransportOptions, timeoutMs = LONG_MS): Promise<Outcome> {
  const outgoing = { method: 'POST', url, headers: [['X-Twice', 'a'] as const, ['x-twice', 'b'] as const], body: '{}' };
  return exchange(
    { ...outgoing, headers: outgoing.headers.map(([name, value]) => [name, value]) },
    { timeoutMs, maxBodyBytes: 100_000 },
    openTransport(options),
  );
}

describe('over TLS', () => {
  /** Answers with the subject of the certificate that the client has shown. */
  const askedFor = (requestCert: boolean) =>
    listen(
      https.createServer({ ...identity, requestCert, rejectUnauthorized: false }, (request, response) =>
        response.end(JSON.stringify((request.socket as TLSSocket).getPeerCertificate().subject ?? null)),
      ),
    );

  it.each<[string, TransportOptions['tls'], string | RegExp]>([
    ['no authority', {}, /not trusted/],
    ['its authority', { ca: certificate }, 'null'],
    ['whatever comes', { isInsecure: true }, 'null'],
  ])('a service is trusted by %s, or is not', async (_, tls, expected) => {
    const { answer, problem, unreachable = false } = await ask(`https://${await askedFor(false)}/`, { tls });
    expect(answer?.body.toString() ?? problem).toMatch(expected);
    expect(unreachable).toBe(expected instanceof RegExp);
  });

  it('a client shows its certificate', async () => {
    const { answer } = await ask(`https://${await askedFor(true)}/`, {
      tls: { ca: certificate, ...identity },
    });
    expect(answer?.body.toString()).toBe('{"CN":"localhost"}');
  });
});

describe('over HTTP/2', () => {
  const overHttp2 = { isHttp2: true };

  it('a request comes as it is, also with a header twice, and the answer is read', async () => {
    const authority = await listenHttp2((stream, headers) => {
      stream.respond({ ':status': 201, 'x-back': 'yes' });
      stream.end(JSON.stringify(headers));
    });
    const { answer } = await ask(`http://${authority}/a%2Fb?c=d`, overHttp2);
    expect(answer).toMatchObject({ status: 201, httpVersion: '2.0' });
    expect(answer?.headers).toContainEqual(['x-back', 'yes']);
    expect(answer?.headers.map(([name]) => name)).not.toContain(':status');
    const came: string[] = JSON.parse(String(answer?.body));
    const pairs = came.flatMap((name, index) => (index % 2 === 0 ? [[name, came[index + 1]]] : []));
    expect(pairs).toEqual(
      expect.arrayContaining([
        [':method', 'POST'],
        [':authority', authority],
        [':path', '/a%2Fb?c=d'],
        ['x-twice', 'a'],
        ['x-twice', 'b'],
        ['content-length', '2'],
      ]),
    );
  });

  it.each<[string, RegExp, (stream: ServerHttp2Stream) => void]>([
    ['says nothing', /no whole answer within 0.3 s/, () => {}],
    ['refuses the stream', /broke the exchange/, (stream) => stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)],
    ['ends the connection', /broke the exchange/, (stream) => stream.session?.destroy()],
    ['breaks off the body', /broke the exchange/, begun((stream) => stream.destroy(new Error('It is broken.')))],
    ['ends the connection in the body', /broke the exchange/, begun((stream) => stream.session?.destroy())],
    ['drips a body', /no whole answer/, begun((stream) => void setInterval(() => stream.write('x'), 20).unref())],
    [
      'sends a body without end',
      /had not ended after 100000 bytes/,
      begun((stream) => stream.end(Buffer.alloc(200_000))),
    ],
  ])('an exchange ends with a problem when the server %s', async (_, problem, answer) => {
    const url = `http://${await listenHttp2(answer)}/`;
    const outcome = await ask(url, overHttp2, problem.source.startsWith('no whole answer') ? SHORT_MS : LONG_MS);
    expect(outcome.problem).toMatch(problem);
    expect(outcome.unreachable).not.toBe(true);
  });

  it('of a stream of events what comes first is the answer', async () => {
    const url = await listenHttp2((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
      stream.write('data: 1\n\n');
    });
    expect((await ask(`http://${url}/`, overHttp2)).answer?.body.toString()).toBe('data: 1\n\n');
  });

  it('a kept connection serves one exchange after the other, and another one follows where it was closed', async () => {
    const sessions = new Set<unknown>();
    const url = `http://${await listenHttp2((stream) => {
      const isFirst = !sessions.has(stream.session);
      sessions.add(stream.session);
      if (!isFirst && sessions.size === 1 && stream.id !== undefined && stream.id > 3) return stream.session?.destroy();
      stream.respond({ ':status': 200 });
      stream.end('ok');
    })}/`;
    const transport = openTransport(overHttp2, 1);
    open.push(() => transport.close());
    const bounds = { timeoutMs: LONG_MS, maxBodyBytes: 1_000 };
    const seen: unknown[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { answer } = await exchange({ method: 'GET', url, headers: [] }, bounds, transport);
      seen.push([answer?.body.toString(), answer?.isReused]);
    }
    expect(seen).toEqual([
      ['ok', false],
      ['ok', true],
      ['ok', false],
      ['ok', false],
    ]);
  });

  it('nobody who listens is told apart from a broken exchange', async () => {
    const outcome = await ask('http://127.0.0.1:1/', overHttp2);
    expect(outcome).toMatchObject({ unreachable: true, problem: 'The service could not be reached (ECONNREFUSED).' });
  });
});

function begun(then: (stream: ServerHttp2Stream) => void) {
  return (stream: ServerHttp2Stream): void => {
    stream.respond({ ':status': 200 });
    stream.write('begun', () => then(stream));
  };
}
