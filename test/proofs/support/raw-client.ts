import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export const LIVE_REQUEST = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n';

/**
 * A connection on which nothing is sent by itself. What the server does to it is no error.
 *
 * @param localAddress the client's; of 127.0.0.0/8
 */
export async function openConnection(origin: string, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  await once(socket, 'connect');
  return socket.on('error', () => {});
}

/** Opens so many connections, and resolves once the server has taken them all, which it does one after the other. */
export async function openConnections(origin: string, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) sockets.push(await openConnection(origin));
  const last = await openConnection(origin);
  last.write(LIVE_REQUEST);
  await once(last, 'data');
  last.destroy();
  return sockets;
}

/** Resolves when nothing more comes on the connection, whichever side has ended it, and how. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
