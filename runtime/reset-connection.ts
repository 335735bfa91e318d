import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Breaks off a connection, so that nothing sent on it so far looks whole. TLS needs no reset for that: what ends without
 * `close_notify` is incomplete (RFC 9112, 9.8).
 */
export function resetConnection(socket: Socket): void {
  // Node refuses to reset what is under TLS, and throws.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
