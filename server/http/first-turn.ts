import type { Socket } from 'node:net';
import { arrivingInput } from './arriving-input.ts';
import type { InTurn } from './reading-turn.ts';

/** What is held of a connection, in bytes: the headers that a request may have. The rest waits in the connection. */
const MOST_HELD = 16_384;

/**
 * Holds what a new connection has sent until it has its first turn. A client that leaves before costs no more than that: no parser, no
 * request. Behind a proxy, which leaves as its clients do, that may be most of them.
 *
 * @param socket is destroyed at its end by whoever calls
 * @param bytes what has been read of it
 * @param begin is called in the turn, when the bytes are back in the connection
 */
export function awaitFirstTurn(socket: Socket, bytes: Buffer, inTurn: InTurn, begin: () => void): void {
  const held = [bytes];
  const arriving = { socket };
  let size = bytes.length;
  let hasTurn = false;
  const hold = (): void => {
    const more: Buffer | null = socket.read();
    if (more === null) return;
    held.push(more);
    size += more.length;
    arrivingInput.add(arriving, more.length);
    if (size > MOST_HELD) socket.off('readable', hold);
  };
  const release = (): void => {
    socket.off('readable', hold).off('close', release);
    arrivingInput.remove(arriving);
  };
  inTurn(() => {
    hasTurn = true;
    release();
    if (socket.destroyed) return;
    socket.unshift(Buffer.concat(held, size));
    begin();
  });
  if (hasTurn) return;
  arrivingInput.add(arriving, size);
  socket.on('readable', hold).on('close', release);
}
