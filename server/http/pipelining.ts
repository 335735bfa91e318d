import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { resetConnection } from '@branchline/runtime';

/** How many requests may be unanswered on one connection. Hardly a client sends any before its last one is answered. */
const MOST_UNANSWERED = 32;

/**
 * Serves the requests of a connection one after the other: each once the system has taken the whole answer to the one before, so
 * that at most one answer waits for a client that reads none. Node would begin to serve all of them as they arrive, and keep their
 * answers. Cuts off whoever sends more than a few without waiting for answers: a few megabytes would be tens of thousands.
 */
export function boundPipelining(server: Server): void {
  /** By connection, those that wait behind the one that is served. */
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const serve = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // What had been read together with the request that was too many.
    if (socket.destroyed) return;
    const begin = (): void => {
      if (socket.destroyed) return;
      response.once('close', () => {
        const next = waiting.get(socket)?.shift();
        if (next === undefined) waiting.delete(socket);
        else next();
      });
      for (const listener of serve) listener(request, response);
    };
    const line = waiting.get(socket);
    if (line === undefined) {
      waiting.set(socket, []);
      begin();
    } else if (line.length + 1 < MOST_UNANSWERED) line.push(begin);
    else resetConnection(socket);
  });
}
