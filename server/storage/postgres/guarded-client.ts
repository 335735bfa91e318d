import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { DatabaseUnavailable } from '../transient-errors.ts';
import { BackendMessages } from './backend-messages.ts';
import { requireRegularFiles } from './tls-settings.ts';

/** What node-postgres has of a connection besides what its types say: it begins to read from a stream. */
export interface Listening {
  attachListeners: (stream: Pick<EventEmitter, 'on'>) => void;
}

/**
 * A client of node-postgres that survives whatever a server, or who stands before it, sends, and files of TLS that can't be read. Without that an
 * error in reading a message, or in making a client, which is when node-postgres reads those files, is nobody's, and ends the process.
 */
export class GuardedClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    try {
      if (config.connectionString !== undefined) requireRegularFiles(config.connectionString);
      super(config);
    } catch (error) {
      super({ stream: () => new BrokenSocket(error) });
    }
    // What breaks is told to whoever asked for a connection, or for an answer.
    this.on('error', () => {});
    guard(this.connection as pg.Connection & Listening);
    this.#closeUnlessSignedOn();
  }

  /** Node-postgres leaves it to the server to close a connection on which it can't sign on: that may take a minute, or for ever. */
  #closeUnlessSignedOn(): void {
    const close = (): void => void this.connection.stream.destroy();
    this.connection.on('error', close).on('errorMessage', close);
    this.once('connect', () => this.connection.off('errorMessage', close));
  }
}

/** Fails as soon as it is to be connected. */
class BrokenSocket extends Socket {
  readonly #reason: unknown;

  constructor(reason: unknown) {
    super();
    this.#reason = reason;
  }

  override connect(): this {
    const { code = 'unknown' } = this.#reason as NodeJS.ErrnoException;
    const said = `A file of TLS that the URL of the database names can't be read (${code}).`;
    return this.destroy(new DatabaseUnavailable(said, { cause: this.#reason }));
  }
}

/** Has a connection, which is not made yet, break off with an error of its own when it is sent what can't be read. */
export function guard(connection: Listening): void {
  const attachListeners = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => attachListeners(readMessages(stream as Duplex));
}

/** What node-postgres reads instead of the stream: one message at a time. */
function readMessages(stream: Duplex): EventEmitter {
  const messages = new EventEmitter();
  const backend = new BackendMessages();
  stream.on('data', (chunk: Buffer) => {
    if (stream.destroyed) return;
    try {
      backend.read(chunk, (message) => messages.emit('data', message));
    } catch (error) {
      stream.destroy(unreadable(error));
    }
  });
  stream.on('end', () => messages.emit('end'));
  return messages;
}

function unreadable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error;
  return new DatabaseUnavailable(`PostgreSQL sent a message that can not be read: ${String(error)}`, { cause: error });
}
