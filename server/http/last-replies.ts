import type { ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { resetConnection } from '@branchline/runtime';
import type { FastifyInstance } from 'fastify';
import { connectionBelow } from '../tls/same-port.ts';

export interface Patience {
  /** How long a connection may stay idle before it is closed; in milliseconds. */
  idleMs: number;
  /** How long Fastify is kept from closing all that are idle, when one long reply after the other ends. Less than the 10 s of its hooks. */
  mostMs?: number;
  /** How long headers that have begun to arrive may take until all of them are there; in milliseconds. */
  headersMs?: number;
}

/**
 * Lets the connections end when the server stops. To close one while a request is on its way to it would lose that request. So no
 * new ones are taken, and each gets one more reply, which tells the client to open no further request on it. Only those that stay
 * idle for a while after their last reply are closed, and those whose next headers have not arrived whole in time: Node takes them for
 * busy, and anybody could hold up a stop.
 *
 * What is cut off in the end is reset: over HTTP/1.0 a reply that is only closed looks whole.
 *
 * To be called when all hooks that end long replies are registered.
 */
export function letConnectionsEnd(app: FastifyInstance, { idleMs, mostMs = 5_000, headersMs = 5_000 }: Patience): void {
  const { server } = app;
  const connections = new Set<Socket>();
  server.prependListener('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const open = new Set<ServerResponse>();
  server.prependListener('request', (_request, reply) => {
    open.add(reply);
    reply.once('close', () => {
      open.delete(reply);
      if (isIdleToClose) server.closeIdleConnections();
    });
  });
  // Node takes a connection for idle once its last reply is made, and would close it with what its client has yet to read.
  let isIdleToClose = false;
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    isIdleToClose = [...open].some(({ writableEnded }) => writableEnded);
    if (!isIdleToClose) closeIdle();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    for (const { headersSent, req } of open) if (headersSent) resetConnection(req.socket);
    closeAll();
  };
  const { promise: isQuiet, resolve: end } = Promise.withResolvers<void>();
  server.once('close', end);
  app.addHook('preClose', async () => {
    // Unlike that of an HTTP server, this leaves idle connections open.
    Server.prototype.close.call(server);
    const quiet = setTimeout(() => {
      server.closeIdleConnections();
      end();
    }, idleMs);
    const late = setTimeout(() => {
      const asking = new Set([...open].map((reply) => connectionBelow(reply.req.socket)));
      for (const socket of connections) if (!asking.has(socket)) socket.destroy();
    }, headersMs);
    server.once('close', () => {
      clearTimeout(quiet);
      clearTimeout(late);
    });
    for (const reply of lastReplies(open)) {
      // With the header still to come Node tells the client, and closes the connection by itself. Otherwise the client may use it again.
      if (!reply.headersSent) reply.shouldKeepAlive = false;
      else reply.once('finish', () => quiet.refresh());
    }
    await Promise.race([isQuiet, delay(mostMs, undefined, { ref: false })]);
  });
}

/** Of the replies of a connection the last: they come in the order of their pipelined requests. */
function lastReplies(open: Iterable<ServerResponse>): Iterable<ServerResponse> {
  return new Map<Socket, ServerResponse>([...open].map((reply) => [reply.req.socket, reply])).values();
}
