import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import type { Certificate, CertificateSource } from './certificate.ts';

/** What the first record of TLS begins with (RFC 8446, 5.1). No method of HTTP does. */
const HANDSHAKE = 0x16;

const HANDSHAKE_MS = 10_000;

export interface SamePortOptions {
  certificate: CertificateSource;
  logger: FastifyBaseLogger;
  /** How long a handshake may take, in milliseconds. Defaults to 10 seconds. */
  handshakeMs?: number;
}

/**
 * Serves TLS on the port of an HTTP server: the first byte of a connection says which of both it is. Once the handshake is done,
 * the HTTP server has the connection like any other, with all its bounds. What has sent nothing yet counts as idle there, and is
 * closed after the server's `timeout`.
 */
export function serveTlsToo(server: HttpServer, options: SamePortOptions): void {
  const listeners = server.listeners('connection');
  const serve = (socket: Socket): void => {
    for (const listener of listeners) listener.call(server, socket);
  };
  const silent = new Set<Socket>();
  const secured = new TlsConnections(serve, options);

  // Shared by all connections, and given theirs as `this`: a new connection costs no closures.
  function settle(this: Socket): void {
    silent.delete(this);
    this.off('readable', decide).off('error', end).off('timeout', end).off('close', settle);
  }
  function decide(this: Socket): void {
    settle.call(this);
    const bytes: Buffer | null = this.read();
    if (bytes !== null) this.unshift(bytes);
    if (bytes?.[0] === HANDSHAKE) secured.take(this);
    else serve(this);
  }
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.on('readable', decide).on('error', end).on('timeout', end).on('close', settle);
    socket.setTimeout(server.timeout);
  });

  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of silent) socket.destroy();
    secured.destroyHandshakes();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAll();
    for (const socket of silent) socket.destroy();
    secured.destroyAll();
  };
}

function end(this: Socket): void {
  this.destroy();
}

/** The connections that speak TLS, from their first byte to their end. */
class TlsConnections {
  readonly #serve: (socket: Socket) => void;
  readonly #options: SamePortOptions;
  readonly #sockets = new Set<Socket>();
  /** Those whose handshake is not done, by the client's address and port. */
  readonly #handshakes = new Map<string, Socket>();
  /** Made for the first of them, since most servers have none. */
  #server: TlsServer | undefined;
  #shown: Certificate | undefined;

  constructor(serve: (socket: Socket) => void, options: SamePortOptions) {
    this.#serve = serve;
    this.#options = options;
  }

  take(socket: Socket): void {
    this.#sockets.add(socket);
    const client = clientKey(socket);
    this.#handshakes.set(client, socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#handshakes.get(client) === socket) this.#handshakes.delete(client);
    });
    // What happens to it shows in the connection over TLS, which has time limits of its own.
    socket.on('error', () => {});
    socket.setTimeout(0);
    // Who ends before the handshake is done has left; afterwards there may be requests to answer yet.
    socket.allowHalfOpen = false;
    this.#shakeHands(socket).catch((error: unknown) => {
      this.#options.logger.error({ err: error }, 'there is no certificate to serve TLS with');
      socket.destroy();
    });
  }

  destroyHandshakes(): void {
    for (const socket of this.#handshakes.values()) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #shakeHands(socket: Socket): Promise<void> {
    const certificate = await this.#options.certificate.current();
    if (socket.destroyed) return;
    this.#serverWith(certificate).emit('connection', socket);
  }

  #serverWith(certificate: Certificate): TlsServer {
    this.#server ??= this.#newServer();
    if (certificate !== this.#shown) this.#server.setSecureContext(certificate);
    this.#shown = certificate;
    return this.#server;
  }

  #newServer(): TlsServer {
    const { handshakeMs = HANDSHAKE_MS, logger } = this.#options;
    return createServer({ ALPNProtocols: ['http/1.1'], handshakeTimeout: handshakeMs })
      .on('secureConnection', (socket) => {
        this.#handshakes.delete(clientKey(socket));
        socket.allowHalfOpen = true;
        this.#serve(socket);
      })
      .on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
        logger.debug({ reason: error.code ?? error.message }, 'a TLS handshake failed');
        socket.destroy();
      });
  }
}

/** The same of a connection and of what is under its TLS. */
function clientKey({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
