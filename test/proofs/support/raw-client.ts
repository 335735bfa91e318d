import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which nothing is sent by itself. What the server does to it is no error. */
export async function openConnection(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  return socket.on('error', () => {});
}

/** Resolves when nothing more comes on the connection, whichever side has ended it, and how. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
