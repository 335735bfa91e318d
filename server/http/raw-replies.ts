import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { resetConnection } from '../generated/reset-connection.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

const UNREADABLE: Record<string, [status: number, sentence: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/** Connections on which a reply is under way: text written to them now would land inside it. */
const replying = new WeakMap<Duplex, number>();

/** Remembers which connections are in the middle of a reply. */
export function watchReplies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    replying.set(socket, (replying.get(socket) ?? 0) + 1);
    reply.raw.once('close', () => replying.set(socket, (replying.get(socket) ?? 1) - 1));
    done();
  });
}

/**
 * Answers what Node could not read as a request with the same kind of body as every other error. In the middle of another
 * reply the connection is reset instead, so that what was sent of that never looks whole.
 */
export function replyToUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if ((replying.get(socket) ?? 0) > 0) resetConnection(socket);
  else endWith(socket, ...(UNREADABLE[error.code ?? ''] ?? [400, 'This is not a request that HTTP/1.1 allows.']));
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
