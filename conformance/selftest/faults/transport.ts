import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Behaviour, type Call, type Reply, toBytes, correct } from '../service/behaviour.ts';
import type { Fault } from '../fault.ts';

type Deliver = Behaviour['deliver'];

/** Delivers the replies of one operation otherwise. */
const delivers = (
  operation: Call['operation'],
  name: string,
  does: string,
  deliver: Deliver,
  clause = operation === 'create' ? 'BRANCH-CREATE-201-1' : 'EXPORT-SUCCESS-1',
): Fault => ({
  name: `${operation}-${name}`,
  does,
  breaks: [clause],
  change: () => ({
    deliver: (reply, response, call) =>
      (call.operation === operation ? deliver : correct.deliver)(reply, response, call),
  }),
});

const neverEnding = (fault: Fault): Fault => ({ ...fault, neverEnds: true });

/** Writes bytes of its own making to the connection. */
const raw =
  (bytes: (reply: Reply) => (string | Buffer)[]): Deliver =>
  (reply, response) => {
    const socket = response.socket;
    for (const part of bytes(reply)) socket?.write(part);
    socket?.end();
  };

const head = ({ status, headers }: Reply, ...more: string[]): string =>
  [
    `HTTP/1.1 ${status} X`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...more,
    '',
    '',
  ].join('\r\n');

const silent: Deliver = () => {};
const reset: Deliver = (_, response) => void response.socket?.resetAndDestroy();
const closes: Deliver = (_, response) => void response.socket?.end();
const failing: Deliver = (reply, response, call) =>
  correct.deliver(
    { ...reply, status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Internal Server Error</h1>' },
    response,
    call,
  );

/** Sends a piece again and again, at the given interval, until the client closes. */
const forever =
  (piece: Buffer, everyMs: number): Deliver =>
  ({ status, headers }, response) => {
    response.writeHead(status, headers);
    const timer = setInterval(() => response.write(piece), everyMs);
    response.once('close', () => clearInterval(timer));
  };

const slowHeaders: Deliver = (reply, response) => {
  const bytes = Buffer.from(head(reply));
  let sent = 0;
  const timer = setInterval(() => response.socket?.write(bytes.subarray(sent, (sent += 1))), 100);
  response.once('close', () => clearInterval(timer));
};

const shorter: Deliver = raw((reply) => [
  head(reply, 'connection: close', `content-length: ${toBytes(reply.body).length + 50}`),
  toBytes(reply.body),
]);
const cutOff: Deliver = raw((reply) => [
  head(reply, 'connection: close', `content-length: ${toBytes(reply.body).length}`),
  toBytes(reply.body).subarray(0, 20),
]);
const cutByLength: Deliver = ({ status, headers, body }, response) => {
  const bytes = toBytes(body).subarray(0, 20);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) }).end(bytes);
};
const brokenChunks: Deliver = raw((reply) => [head(reply, 'transfer-encoding: chunked'), 'ffffff\r\nbroken']);

/** Some kilobytes that become 128 MiB. */
const bombs = {
  gzip: gzipSync,
  br: (zeros: Buffer) => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  deflate: deflateSync,
  zstd: zstdCompressSync,
};
const packed = new Map<keyof typeof bombs, Buffer>();
const bomb =
  (coding: keyof typeof bombs): Deliver =>
  ({ status, headers }, response) => {
    const zeros = packed.get(coding) ?? bombs[coding](Buffer.alloc(128 * 1024 * 1024));
    packed.set(coding, zeros);
    response.writeHead(status, { ...headers, 'content-encoding': coding }).end(zeros);
  };

/** Brackets in brackets, so deep that a careless program has no stack for them. */
const deep: Deliver = (reply, response, call) => {
  const depth = 100_000;
  const body = `{"branchId":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  correct.deliver({ ...reply, body }, response, call);
};

const falselyPacked: Deliver = (reply, response, call) =>
  correct.deliver({ ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } }, response, call);

/** Is well for some calls only. */
const stops = (name: string, does: string, deliver: Deliver): Fault => ({
  name,
  does,
  breaks: ['BRANCH-CREATE-400-1'],
  change: () => {
    let count = 0;
    return {
      deliver: (reply, response, call) => ((count += 1) > 60 ? deliver : correct.deliver)(reply, response, call),
    };
  },
});

/** Of the connection. */
export const transport: readonly Fault[] = [
  neverEnding(delivers('create', 'silent', 'never answers a creation', silent)),
  delivers('create', 'reset', 'resets the connection on a creation', reset),
  delivers('create', 'closes', 'closes the connection without an answer', closes),
  delivers('create', 'failing', 'answers every creation with 500 and a page', failing),
  delivers('create', 'endless', 'never ends the body of an answer', forever(Buffer.alloc(65_536, ' '), 1)),
  neverEnding(delivers('create', 'dripping', 'sends a body byte by byte without end', forever(Buffer.from(' '), 50))),
  neverEnding(delivers('create', 'slow-headers', 'sends the head of an answer byte by byte', slowHeaders)),
  delivers('create', 'length-too-long', 'promises more bytes than it sends', shorter),
  delivers(
    'create',
    'length-too-short',
    'cuts JSON off by a content-length that is too short',
    cutByLength,
    'BRANCH-CREATE-201-2',
  ),
  delivers('create', 'broken-chunks', 'breaks off within a chunk', brokenChunks),
  delivers('create', 'bomb', 'answers with 128 MiB in a small gzip body', bomb('gzip')),
  delivers('create', 'deep', 'answers with JSON 100,000 levels deep', deep, 'BRANCH-CREATE-201-2'),
  delivers('create', 'falsely-packed', 'calls a body gzip that is not', falselyPacked),
  delivers(
    'create',
    'no-http',
    'answers with something that is not HTTP',
    raw(() => ['SSH-2.0-OpenSSH_9.9\r\n']),
  ),
  delivers(
    'create',
    'huge-headers',
    'answers with a megabyte of headers',
    raw((reply) => [head(reply, `x-large: ${'x'.repeat(1_000_000)}`)]),
  ),
  delivers('create', 'redirect-elsewhere', 'sends creations to another origin', (reply, response, call) =>
    correct.deliver({ ...reply, status: 308, headers: { location: 'https://plans.example/' } }, response, call),
  ),
  neverEnding(
    delivers('create', 'endless-continue', 'sends 100 Continue without end', (_, response) => {
      const timer = setInterval(() => response.writeContinue(), 5);
      response.once('close', () => clearInterval(timer));
    }),
  ),
  delivers('create', 'redirect-loop', 'redirects to itself', (reply, response, call) =>
    correct.deliver(
      { ...reply, status: 307, headers: { location: `/workspaces/${call.workspaceId}/branches/v1` } },
      response,
      call,
    ),
  ),
  neverEnding(delivers('export', 'silent', 'never answers an export', silent)),
  delivers('export', 'reset', 'resets the connection on an export', reset),
  delivers('export', 'endless', 'never ends an export', forever(Buffer.from('a,b,c\r\n'.repeat(150_000)), 1)),
  neverEnding(
    delivers('export', 'dripping', 'sends an export byte by byte without end', forever(Buffer.from(' '), 50)),
  ),
  delivers('export', 'cut-off', 'breaks the connection within an export', cutOff),
  delivers('export', 'broken-chunks', 'breaks an export off within a chunk', brokenChunks),
  delivers('export', 'bomb', 'answers an export with 128 MiB in a small gzip body', bomb('gzip')),
  delivers('export', 'bomb-br', 'answers an export with 128 MiB in a small Brotli body', bomb('br')),
  delivers('export', 'bomb-deflate', 'answers an export with 128 MiB in a small deflate body', bomb('deflate')),
  delivers('export', 'bomb-zstd', 'answers an export with 128 MiB in a small Zstandard body', bomb('zstd')),
  delivers('export', 'commas', 'answers an export with one row of 2 million cells', (reply, response, call) =>
    correct.deliver({ ...reply, body: ','.repeat(2_000_000) }, response, call),
  ),
  delivers('export', 'lines', 'answers an export with a million short lines', (reply, response, call) =>
    correct.deliver({ ...reply, body: `${correct.columns.join(',')}\n${'a\n'.repeat(1_000_000)}` }, response, call),
  ),
  delivers('export', 'failing', 'answers every export with 500 and a page', failing),
  neverEnding(
    delivers('create', 'endless-hints', 'sends provisional answers without end', (_, response) => {
      const timer = setInterval(() => response.writeProcessing(), 5);
      response.once('close', () => clearInterval(timer));
    }),
  ),
  neverEnding(stops('falls-silent', 'answers nothing any more after a while', silent)),
  stops('hangs-up', 'closes every connection after a while', reset),
  {
    name: 'every-fifth-500',
    does: 'answers every fifth creation with 500',
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => {
      let count = 0;
      return {
        deliver: (reply, response, call) => {
          const fails = call.operation === 'create' && (count += 1) % 5 === 0;
          (fails ? failing : correct.deliver)(reply, response, call);
        },
      };
    },
  },
];
