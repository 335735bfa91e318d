import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the connection of each request that is under way when the server stops, behind its reply. The client would keep it
 * otherwise, and the stop would wait for nothing more on it. Requests that come later have their connections closed by Fastify.
 */
export function closeBehindLastReplies(app: FastifyInstance): void {
  const open = new Set<ServerResponse>();
  app.addHook('onRequest', (_request, { raw }, done) => {
    open.add(raw);
    raw.once('close', () => open.delete(raw));
    done();
  });
  app.addHook('preClose', (done) => {
    // In the order in which they came, so that of pipelined requests the last one remains.
    const last = new Map<Socket, ServerResponse>([...open].map((reply) => [reply.req.socket, reply]));
    for (const [socket, reply] of last) closeBehind(reply, socket);
    done();
  });
}

function closeBehind(reply: ServerResponse, socket: Socket): void {
  // With the header still to come Node tells the client, and closes the connection by itself.
  if (!reply.headersSent) reply.shouldKeepAlive = false;
  else reply.once('finish', () => socket.end());
}
