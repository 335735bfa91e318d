import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { resetConnection } from '@branchline/runtime';

/** How many requests may be unanswered on one connection. Hardly a client sends any before its last one is answered. */
const MOST_UNANSWERED = 32;

/**
 * Cuts off whoever sends requests on a connection and takes no answers. Node begins to serve all of them as they arrive, so a few
 * megabytes would be tens of thousands of requests, most of them for nobody.
 */
export function boundPipelining(server: Server): void {
  const unanswered = new WeakMap<Socket, number>();
  const serve = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // What had been read together with the request that was too many.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MOST_UNANSWERED) {
      resetConnection(socket);
      return;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    for (const listener of serve) listener(request, response);
  });
}
