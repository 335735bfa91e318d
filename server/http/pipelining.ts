import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { resetConnection } from '@branchline/runtime';

/** The maximum number of unanswered requests per connection. Hardly any client pipelines requests. */
const MOST_UNANSWERED = 32;

/**
 * Serves the requests of a connection one at a time: each after the system has accepted the whole previous answer, so
 * that at most one answer waits for a client that does not read. Node would start all of them on arrival and buffer their
 * answers. Closes connections with too many waiting requests: a few megabytes can contain tens of thousands.
 */
export function boundPipelining(server: Server): void {
  /** The requests that wait behind the current one, by connection. */
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const serve = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // Requests that were read together with the one that exceeded the limit.
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
