import net, { type AddressInfo, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type Outcome, exchange } from './client.ts';
import { openTransport } from './transport.ts';

const servers: net.Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
/** For a server that leaves it at that, and for all others. */
const [SHORT_MS, LONG_MS] = [300, 3_600_000];
const BOUNDS = { timeoutMs: LONG_MS, maxBodyBytes: 100_000 };

/** Calls a server that handles the connection as given. */
async function asked(answer: (socket: Socket) => void, timeoutMs = LONG_MS): Promise<Outcome> {
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return exchange(
    { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: [] },
    { ...BOUNDS, timeoutMs },
    openTransport(),
  );
}

const HEAD = 'HTTP/1.1 200 OK\r\n';

/** Writes a piece again and again until the client has had enough. */
const forever = (piece: string | Buffer, everyMs: number) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
};

const after = (head: string, then: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(head);
  then(socket);
};

describe('an exchange ends with a problem, within its bound, when the server', () => {
  it.each<[string, RegExp, (socket: Socket) => void]>([
    ['says nothing', /no whole answer within 0.3 s/, () => {}],
    ['resets the connection', /broke the exchange/, (socket) => void socket.resetAndDestroy()],
    ['closes the connection', /broke the exchange/, (socket) => void socket.end()],
    ['speaks no HTTP', /broke the exchange/, (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['drips its head', /no whole answer/, after(HEAD, forever('x', 20))],
    ['sends headers without end', /broke the exchange/, after(HEAD, forever(`x: ${'y'.repeat(10_000)}\r\n`, 1))],
    ['sends provisional answers without end', /no whole answer/, forever('HTTP/1.1 103 Early Hints\r\n\r\n', 5)],
    [
      'sends a body without end',
      /had not ended after 100000 bytes/,
      after(`${HEAD}\r\n`, forever(Buffer.alloc(20_000), 1)),
    ],
    ['drips a body', /no whole answer/, after(`${HEAD}\r\n`, forever('x', 20))],
    [
      'promises more than it sends',
      /broke the exchange/,
      (socket) => void socket.end(`${HEAD}content-length: 9\r\n\r\nshort`),
    ],
    [
      'breaks off within a chunk',
      /broke the exchange/,
      (socket) => void socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nff\r\nx`),
    ],
    ...Object.entries(CODINGS).map(([coding, pack]): [string, RegExp, (socket: Socket) => void] => {
      const bomb = pack(Buffer.alloc(1_000_000));
      return [
        `sends a bomb compressed as ${coding}`,
        /becomes more than 100000 bytes/,
        (socket) => compressed(socket, bomb, coding),
      ];
    }),
    [
      'compresses in a way that nobody asked for',
      /compressed as "lzma"/,
      (socket) => compressed(socket, Buffer.from('hello'), 'LZMA'),
    ],
    ['sends 100 Continue without end', /no whole answer/, forever('HTTP/1.1 100 Continue\r\n\r\n', 5)],
    ['calls gzip what is not', /can't be unpacked/, (socket) => compressed(socket, Buffer.from('plain'))],
    [
      'switches protocols',
      /broke|switched/,
      (socket) => void socket.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
  ])('%s', async (_, problem, answer) => {
    const outcome = await asked(answer, problem.source.startsWith('no whole answer') ? SHORT_MS : LONG_MS);
    expect(outcome.problem).toMatch(problem);
  });
});

function compressed(socket: Socket, body: Buffer, coding = 'gzip'): void {
  socket.write(`${HEAD}content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.end(body);
}

describe('an answer is read', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['in HTTP/1.0, ended by the connection', (socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nhello')],
    [
      'after a provisional one',
      (socket) => void socket.end('HTTP/1.1 103 X\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'),
    ],
    ...Object.entries(CODINGS).map(([coding, pack]): [string, (socket: Socket) => void] => [
      `compressed as ${coding}, though nobody asked`,
      (socket) => compressed(socket, pack(Buffer.from('hello')), coding),
    ]),
    ['compressed twice', (socket) => compressed(socket, brotliCompressSync(gzipSync('hello')), 'gzip, br')],
    ['without the head of deflate', (socket) => compressed(socket, deflateRawSync('hello'), 'deflate')],
    ['without a reason phrase', (socket) => void socket.end('HTTP/1.1 200 \r\nCONTENT-LENGTH: 5\r\n\r\nhello')],
  ])('%s', async (_, answer) => {
    const outcome = await asked(answer);
    expect(outcome.problem).toBeUndefined();
    expect(outcome.answer?.status).toBe(200);
    expect(outcome.answer?.body.toString()).toBe('hello');
  });

  it('so far as it came, when the rest is missing', async () => {
    const outcome = await asked((socket) => void socket.end(`${HEAD}content-length: 9\r\n\r\nshort`));
    expect(outcome.answer?.body.toString()).toBe('short');
  });
});

describe('a redirect', () => {
  const redirectTo = (location: string, status: number) => (socket: Socket) =>
    socket.end(`HTTP/1.1 ${status} X\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
  const found = (socket: Socket) => socket.end(`${HEAD}content-length: 5\r\n\r\nfound`);

  it.each([301, 302, 307, 308])('with %i is followed within the origin', async (status) => {
    const answers = [redirectTo('/other?x=1', status), found];
    const outcome = await asked((socket) => void answers.shift()?.(socket));
    expect(outcome.answer?.body.toString()).toBe('found');
  });

  it('is followed to no other origin, and not without end', async () => {
    const elsewhere = await asked((socket) => void redirectTo('http://localhost:1/', 307)(socket));
    expect(elsewhere.answer?.status).toBe(307);
    let count = 0;
    const endless = await asked((socket) => {
      count += 1;
      redirectTo('/again', 308)(socket);
    });
    expect([endless.answer?.status, count]).toEqual([308, 4]);
  });
});

it('nobody who listens is told apart from a broken exchange', async () => {
  const outcome = await exchange({ method: 'GET', url: 'http://127.0.0.1:1/', headers: [] }, BOUNDS, openTransport());
  expect(outcome).toMatchObject({ unreachable: true, problem: 'The service could not be reached (ECONNREFUSED).' });
});
