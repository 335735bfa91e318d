import { constants } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { awaitFirstTurn } from '../http/first-turn.ts';
import { handOverInTurns, inputTurns, recordTurns } from '../http/input-turns.ts';
import type { RequestTurns } from '../http/request-turns.ts';
import { TooManyPieces } from '../http/small-pieces.ts';
import { BoundedRecords } from './bounded-records.ts';
import type { Certificate, CertificateSource } from './certificate.ts';

/** The first byte of a TLS connection (RFC 8446, 5.1). No HTTP method begins with it. */
const HANDSHAKE = 0x16;

const HANDSHAKE_MS = 10_000;

/** For key exchange. Of others that OpenSSL knows a client could choose those that cost the server four times as much. */
const GROUPS = 'X25519MLKEM768:X25519:P-256:P-384';

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
  /** The turns in which input is read. */
  turns: RequestTurns;
  /** The timeout of a handshake, in milliseconds. Defaults to 10 seconds. */
  handshakeMs?: number;
}

/**
 * Serves TLS on the port of an HTTP server: the first byte of a connection shows which one it is. After the handshake,
 * the HTTP server handles the connection like any other, with all its limits. The networks of clients take turns with what they send.
 * A connection that has sent nothing counts as idle and is closed after the server's `timeout`.
 */
export function serveTlsToo(server: HttpServer, options: SamePortOptions): void {
  const { turns } = options;
  const listeners = server.listeners('connection');
  const serve = (socket: Socket): void => {
    for (const listener of listeners) listener.call(server, socket);
  };
  /** Those that have sent nothing, and those that have, and wait for their first turn. */
  const [silent, held] = [new Set<Socket>(), new Set<Socket>()];
  const refuse = (socket: Socket): void => {
    server.emit('clientError', new TooManyPieces('SMALL_RECORDS'), socket);
    setTimeout(() => socket.destroy(), ANSWER_MS).unref();
  };
  const secured = new TlsConnections({ serve, refuse }, options);

  // Shared by all connections, which are passed as `this`: a new connection needs no closures.
  function settle(this: Socket): void {
    silent.delete(this);
    held.delete(this);
    this.off('readable', decide).off('end', end).off('error', end).off('timeout', end).off('close', settle);
  }
  function decide(this: Socket): void {
    const bytes: Buffer | null = this.read();
    // Its end comes next.
    if (bytes === null) return;
    if (bytes[0] === HANDSHAKE) {
      settle.call(this);
      this.unshift(bytes);
      return secured.take(this);
    }
    this.off('readable', decide);
    silent.delete(this);
    held.add(this);
    const ofThis = inputTurns(turns, this);
    awaitFirstTurn(this, bytes, ofThis.first, () => {
      settle.call(this);
      handOverInTurns(this, serve, ofThis);
    });
  }
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.on('readable', decide).on('end', end).on('error', end).on('timeout', end).on('close', settle);
    socket.setTimeout(server.timeout);
  });

  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of silent) socket.destroy();
    secured.destroySilent();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAll();
    for (const socket of [...silent, ...held]) socket.destroy();
    secured.destroyAll();
  };
}

function end(this: Socket): void {
  this.destroy();
}

interface Receiver {
  /** Takes a connection after its handshake. */
  serve: (socket: Socket) => void;
  /** Ends one of too many records, of which nothing more is read. */
  refuse: (socket: Socket) => void;
}

/** The TLS connections, from their first byte to their end. */
class TlsConnections {
  readonly #receiver: Receiver;
  readonly #options: SamePortOptions;
  /** By the TCP connection; without one during the handshake. */
  readonly #sockets = new Map<Socket, TLSSocket | undefined>();
  /** Created for the first one, since most servers have none. */
  #server: TlsServer | undefined;
  #shown: Certificate | undefined;

  constructor(receiver: Receiver, options: SamePortOptions) {
    this.#receiver = receiver;
    this.#options = options;
  }

  take(socket: Socket): void {
    this.#sockets.set(socket, undefined);
    socket.once('close', () => this.#sockets.delete(socket));
    // The TLS connection reports its errors, and has its own time limits.
    socket.on('error', () => {});
    socket.setTimeout(0);
    this.#shakeHands(socket).catch((error: unknown) => {
      this.#options.logger.error({ err: error }, 'there is no certificate to serve TLS with');
      socket.destroy();
    });
  }

  /** Those in a handshake, or that have sent nothing since. */
  destroySilent(): void {
    for (const [socket, secure] of this.#sockets) if (secure === undefined || secure.bytesRead === 0) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  async #shakeHands(socket: Socket): Promise<void> {
    const certificate = await this.#options.certificate.current();
    if (socket.destroyed) return;
    const records = new BoundedRecords(socket, {
      inTurn: recordTurns(this.#options.turns, socket, () => this.#sockets.get(socket) === undefined),
      tooMany: () => this.#refuse(socket),
    });
    this.#serverWith(certificate).emit('connection', records);
  }

  #refuse(socket: Socket): void {
    const secure = this.#sockets.get(socket);
    if (secure?.writable === true) this.#receiver.refuse(secure);
    else socket.destroy();
  }

  #serverWith(certificate: Certificate): TlsServer {
    this.#server ??= this.#newServer();
    if (certificate !== this.#shown)
      this.#server.setSecureContext({
        ...certificate,
        ecdhCurve: GROUPS,
        secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      });
    this.#shown = certificate;
    return this.#server;
  }

  #newServer(): TlsServer {
    const { handshakeMs = HANDSHAKE_MS, logger } = this.#options;
    return createServer({ ALPNProtocols: ['http/1.1'], handshakeTimeout: handshakeMs })
      .on('secureConnection', (socket) => this.#serve(socket))
      .on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
        logger.debug({ reason: error.code ?? error.message }, 'a TLS handshake failed');
        socket.destroy();
      });
  }

  #serve(secure: TLSSocket): void {
    // The handshake ends while its last record is being read.
    const records = BoundedRecords.passing;
    if (records === undefined) return void secure.destroy();
    records.endHandshake(secure);
    const { connection } = records;
    this.#sockets.set(connection, secure);
    below.set(secure, connection);
    Object.defineProperties(secure, addressesOf(connection));
    secure.allowHalfOpen = true;
    this.#receiver.serve(secure);
  }
}

/** Which Node looks up below a TLS connection only where that is TCP. */
function addressesOf({ remoteAddress, remoteFamily, remotePort, localAddress, localFamily, localPort }: Socket) {
  const addresses = { remoteAddress, remoteFamily, remotePort, localAddress, localFamily, localPort };
  return Object.fromEntries(Object.entries(addresses).map(([name, value]) => [name, { value }]));
}
