import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { resetConnection } from '@branchline/runtime';
import type { FastifyInstance } from 'fastify';
import { REQUEST_ID_HEADER } from './request-id.ts';

type Answer = [status: number, sentence: string, headers?: string];

const UNREADABLE: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request, or the trailers of its body, are too large.'],
  SMALL_PIECES: [400, 'The body of the request arrived in too many small pieces. Send it in larger chunks.'],
  SMALL_RECORDS: [400, 'The request arrived in too many small TLS records. Send more in each.'],
  TOO_MUCH_INPUT: [503, 'The service has more to read than it can now. Try again in a moment.', 'retry-after: 1\r\n'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

const NO_REQUEST: Answer = [400, 'This is not a request that HTTP/1.1 allows.'];

/** The replies that a connection still awaits, in full or in part. */
const awaited = new WeakMap<Duplex, Set<ServerResponse>>();

/** The replies to requests that need no body, and are being served before all of theirs has come. */
const underWay = new WeakSet<ServerResponse>();

/** The connections that close once all awaited replies are sent. */
const ending = new WeakSet<Duplex>();

/** The replies to requests behind the last one of a connection that is answered. */
const behindTheEnd = new WeakSet<ServerResponse>();

/** The connections of which nothing more can be read, since something on them is unreadable. */
const unreadable = new WeakSet<Duplex>();

/** The connections whose last reply is sent, that close after the rest of a body. */
const answered = new WeakSet<Duplex>();

/** Records replies as soon as their requests are read, since later input may be read at the same time. */
export function watchReplies(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (behindTheEnd.has(reply.raw)) reply.hijack();
    else done();
  });
  app.addHook('preHandler', ({ raw }, reply, done) => {
    // It was answered already, since its body is unreadable: it must not be done after all.
    if (raw.socket.writable === false) reply.hijack();
    else if (!raw.complete) underWay.add(reply.raw);
    done();
  });
  app.server.prependListener('request', ({ socket }, reply) => {
    if (ending.has(socket)) return void behindTheEnd.add(reply);
    const replies = awaited.get(socket) ?? new Set<ServerResponse>();
    awaited.set(socket, replies.add(reply));
    reply.once('close', () => replies.delete(reply));
  });
}

/**
 * Answers unreadable requests and bodies with the same kind of body as every other error, after the
 * replies to earlier requests. If the client would take it for the rest of a reply, the connection is reset instead, so
 * that a partial reply never looks complete.
 */
export function replyToUnreadable(error: { code?: string | undefined }, socket: Socket): void {
  const answer = UNREADABLE[error.code ?? ''] ?? NO_REQUEST;
  const replies = [...(awaited.get(socket) ?? [])];
  unreadable.add(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) socket.destroy();
  else if (replies.some((reply) => underWay.has(reply) && !reply.headersSent)) endAfter(replies);
  else if (isFree(replies)) endWith(socket, ...answer);
  // Input after a request that closes the connection is ignored; its reply closes it.
  else if (error.code === 'HPE_CLOSED_CONNECTION' || ending.has(socket)) return;
  else {
    // What is unreadable may be the body of the last one, which waits behind the others.
    const unread = replies.at(-1)?.req.complete === false ? replies.pop() : undefined;
    if (unread !== undefined) behindTheEnd.add(unread);
    if (replies.length > 0 && replies.every(({ req }) => req.complete)) endBehind(replies, socket, answer);
    else resetConnection(socket);
  }
}

/**
 * Has nothing more sent on a connection whose last reply is sent, while the rest of that request's body is read.
 *
 * @returns whether that can be read
 */
export function awaitRest(socket: Duplex): boolean {
  if (unreadable.has(socket)) return false;
  answered.add(socket);
  return true;
}

/** Whether the next write to the connection answers the unreadable input, because no other reply is due. */
function isFree([reply, ...more]: ServerResponse[]): boolean {
  if (reply === undefined) return true;
  return more.length === 0 && !reply.headersSent && !reply.req.complete;
}

/** A request that needs no body keeps its own answer, however unreadable that body is; the connection ends with it. */
function endAfter(replies: ServerResponse[]): void {
  for (const reply of replies) if (!reply.headersSent) reply.setHeader('connection', 'close');
}

function endBehind(replies: ServerResponse[], socket: Duplex, answer: Answer): void {
  ending.add(socket);
  let left = replies.length;
  for (const reply of replies) {
    reply.once('close', () => {
      left -= 1;
      if (left === 0 && socket.writable) endWith(socket, ...answer);
    });
  }
}

/** Answers a request that gets no further, in its turn, and ends the connection. */
function endInTurn(socket: Duplex, answer: Answer): void {
  const replies = [...(awaited.get(socket) ?? [])];
  if (replies.length > 0) endBehind(replies, socket, answer);
  else if (socket.writable) endWith(socket, ...answer);
}

/** Replaces Node's own answers, which have another body or none: to unknown `Expect` values, and to `CONNECT`. */
export function replyInOurWay(app: FastifyInstance): void {
  app.server.on('checkExpectation', ({ socket }: { socket: Socket }) => {
    endInTurn(socket, [417, 'The only expectation that this server knows is 100-continue.']);
  });
  app.server.on('connect', (_request: unknown, socket: Duplex) => {
    endInTurn(socket, [405, 'This server is no proxy.', 'allow: GET, HEAD\r\n']);
  });
}

/** As `registerSecurityHeaders` has them for all other replies. */
const SECURITY = [
  "content-security-policy: default-src 'none';frame-ancestors 'none'",
  'referrer-policy: no-referrer',
  'x-content-type-options: nosniff',
  'x-download-options: noopen',
  'x-frame-options: DENY',
]
  .map((line) => `${line}\r\n`)
  .join('');

function endWith(socket: Duplex, status: number, sentence: string, headers = ''): void {
  const body = JSON.stringify({ error: sentence });
  // An import of the module would also load its lazy exports, an HTTP client among them, and slow the start.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n${headers}${SECURITY}` +
      `${REQUEST_ID_HEADER}: ${randomUUID()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
