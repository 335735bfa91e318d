import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { SmallPieces, TooManyPieces } from '../http/small-pieces.ts';
import type { Certificate, CertificateSource } from './certificate.ts';

/** The first byte of a TLS connection (RFC 8446, 5.1). No HTTP method begins with it. */
const HANDSHAKE = 0x16;

const HANDSHAKE_MS = 10_000;

/** How long a client has to read why its connection is closed: closing it with input that was not read resets it. */
const ANSWER_MS = 100;

/** The TCP connections below those of TLS. */
const below = new WeakMap<Socket, Socket>();

/** Returns the connection that the server has accepted for this one: where it is of TLS, the one below it. */
export function connectionBelow(socket: Socket): Socket {
  return below.get(socket) ?? socket;
}

export interface SamePortOptions {
  certificate: CertificateSource;
  logger: FastifyBaseLogger;
  /** The timeout of a handshake, in milliseconds. Defaults to 10 seconds. */
  handshakeMs?: number;
}

/**
 * Serves TLS on the port of an HTTP server: the first byte of a connection shows which one it is. After the handshake,
 * the HTTP server handles the connection like any other, with all its limits. A connection that has sent nothing counts as idle and is
 * closed after the server's `timeout`.
 */
export function serveTlsToo(server: HttpServer, options: SamePortOptions): void {
  const listeners = server.listeners('connection');
  const serve = (socket: Socket): void => {
    for (const listener of listeners) listener.call(server, socket);
  };
  const silent = new Set<Socket>();
  const secured = new TlsConnections((socket) => {
    serve(socket);
    boundRecords(server, socket);
  }, options);

  // Shared by all connections, which are passed as `this`: a new connection needs no closures.
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

/**
 * Bounds the records of a TLS connection, of headers too: a single byte in a record of its own costs some microseconds of the thread
 * that answers everybody, and thousands of them are read in one turn. That somebody listens has Node hand over each record, which
 * it would otherwise give to the parser of requests unseen.
 */
function boundRecords(server: HttpServer, socket: Socket): void {
  const records = new SmallPieces();
  socket.on('data', ({ length }: Buffer) => {
    if (records.accept(length) || !socket.writable) return;
    stopReading(socket);
    server.emit('clientError', new TooManyPieces('SMALL_RECORDS'), socket);
    setTimeout(() => socket.destroy(), ANSWER_MS).unref();
  });
}

/** At once: after `pause()` Node would still take in what has arrived, and nothing documented stops that. */
function stopReading({ _handle: handle }: Socket & { _handle?: { readStop?: () => void } | null }): void {
  handle?.readStop?.();
}

function end(this: Socket): void {
  this.destroy();
}

/** The TLS connections, from their first byte to their end. */
class TlsConnections {
  readonly #serve: (socket: Socket) => void;
  readonly #options: SamePortOptions;
  readonly #sockets = new Set<Socket>();
  /** Connections in the handshake, by {@link clientKey}. */
  readonly #handshakes = new Map<string, Socket>();
  /** Created for the first one, since most servers have none. */
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
    // The TLS connection reports its errors, and has its own time limits.
    socket.on('error', () => {});
    socket.setTimeout(0);
    // A client that closes before the handshake is done has left; afterwards, requests may still need answers.
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
        const client = clientKey(socket);
        below.set(socket, this.#handshakes.get(client) ?? socket);
        this.#handshakes.delete(client);
        socket.allowHalfOpen = true;
        this.#serve(socket);
      })
      .on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
        logger.debug({ reason: error.code ?? error.message }, 'a TLS handshake failed');
        socket.destroy();
      });
  }
}

/** Identifies a TLS connection and the TCP connection below it by the same key: both addresses, as a server may have several. */
function clientKey({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
