import { openConnections } from './raw-client.ts';

export interface Flood {
  /** How many answers have come. */
  answered: () => number;
  /** The statuses that came. */
  statuses: ReadonlySet<string>;
  stop: () => void;
}

/**
 * Sends one request on each of so many connections, again as soon as it is answered. That costs much less than to answer them, so
 * answers do not wait here.
 *
 * @param request as it is sent, all of it
 */
export async function startFlood(origin: string, connections: number, request: string): Promise<Flood> {
  let count = 0;
  const statuses = new Set<string>();
  const sockets = await openConnections(origin, connections);
  for (const socket of sockets) {
    socket.on('data', (bytes: Buffer) => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1')) ?? [];
      if (status === undefined) return;
      count += 1;
      statuses.add(status);
      socket.write(request);
    });
    socket.write(request);
  }
  return {
    answered: () => count,
    statuses,
    stop: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
