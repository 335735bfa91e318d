import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { resetConnection } from '@branchline/runtime';
import type { FastifyInstance } from 'fastify';
import { REQUEST_ID_HEADER } from './request-id.ts';

type Answer = [status: number, sentence: string];

const UNREADABLE: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request, or the trailers of its body, are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

const NO_REQUEST: Answer = [400, 'This is not a request that HTTP/1.1 allows.'];

/** The replies that a connection still awaits, whole or in part. */
const awaited = new WeakMap<Duplex, Set<ServerResponse>>();

/** Remembers them as soon as their requests are read: what comes behind those can be read in the same moment. */
export function watchReplies({ server }: FastifyInstance): void {
  server.prependListener('request', ({ socket }, reply) => {
    const replies = awaited.get(socket) ?? new Set<ServerResponse>();
    awaited.set(socket, replies.add(reply));
    reply.once('close', () => replies.delete(reply));
  });
}

/** The connections that end as soon as all that they await is answered. */
const ending = new WeakSet<Duplex>();

/**
 * Answers what Node could not read as a request, or as the body of one, with the same kind of body as every other error: behind the
 * replies to the requests before it. Where the client would take that for the rest of a reply, the connection is reset instead; so
 * what was sent of the reply never looks whole.
 */
export function replyToUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const answer = UNREADABLE[error.code ?? ''] ?? NO_REQUEST;
  const replies = [...(awaited.get(socket) ?? [])];
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (isFree(replies)) endWith(socket, ...answer);
  // What comes behind a request that ends the connection is nothing; its answer ends it.
  else if (error.code === 'HPE_CLOSED_CONNECTION' || ending.has(socket)) return;
  else if (replies.every(({ req }) => req.complete)) endBehind(replies, socket, answer);
  else resetConnection(socket);
}

/** Whether what is written to the connection now is the answer to what could not be read: nothing else waits for one. */
function isFree([reply, ...more]: ServerResponse[]): boolean {
  if (reply === undefined) return true;
  return more.length === 0 && !reply.headersSent && !reply.req.complete;
}

function endBehind(replies: ServerResponse[], socket: Socket, answer: Answer): void {
  ending.add(socket);
  for (const reply of replies) {
    reply.once('close', () => {
      if (awaited.get(socket)?.size === 0 && socket.writable) endWith(socket, ...answer);
    });
  }
}

/** Answers what Node would answer by itself with another body or none: `Expect` with anything new, and `CONNECT`. */
export function replyInOurWay(app: FastifyInstance): void {
  app.server.on('checkExpectation', ({ socket }: { socket: Socket }) => {
    endWith(socket, 417, 'The only expectation that this server knows is 100-continue.');
  });
  app.server.on('connect', (_request: unknown, socket: Duplex) => {
    endWith(socket, 405, 'This server is no proxy.', 'allow: GET, HEAD\r\n');
  });
}

function endWith(socket: Duplex, status: number, sentence: string, headers = ''): void {
  const body = JSON.stringify({ error: sentence });
  // Imported as a module it would load all that it exports lazily too, an HTTP client among it, and slow the start.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n${headers}` +
      `${REQUEST_ID_HEADER}: ${randomUUID()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
