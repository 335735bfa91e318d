import type { EventEmitter } from 'node:events';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { guard, type Listening } from './guarded-client.ts';

/** What node-postgres has of a connection besides what its types say. */
interface Cancellable {
  host: string;
  port: number;
  ssl: boolean | ConnectionOptions;
  sslNegotiation: string;
  processID: number | null;
  secretKey: number | null;
}

interface RawConnection extends EventEmitter, Listening {
  stream: { destroy: () => void };
  connect: (port: number | string, host?: string) => void;
  requestSsl: () => void;
  cancel: (processID: number, secretKey: number) => void;
}

/** The socket under a connection. */
export function rawStream(client: pg.ClientBase): RawConnection['stream'] {
  return (client as pg.ClientBase & { connection: RawConnection }).connection.stream;
}

/**
 * Asks the server to end the statement of a connection, over a connection of its own, as the protocol has it: that needs neither
 * a password nor a free place, and reaches the server through a pooling proxy too.
 *
 * @returns once the server has taken note, or could not be asked, or the bound is over; never rejects
 */
export function cancelStatement(client: pg.ClientBase, boundMs: number): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as pg.ClientBase & Cancellable;
  if (processID === null || secretKey === null) return Promise.resolve();
  const connection = rawConnection({ ssl, sslNegotiation });
  const { promise, resolve } = Promise.withResolvers<void>();
  const bound = setTimeout(() => connection.stream.destroy(), boundMs);
  connection.on('error', () => connection.stream.destroy());
  // The server says nothing to it: it closes the connection when it has told the process that works on the statement.
  connection.once('end', () => {
    clearTimeout(bound);
    resolve();
  });
  if (ssl !== false && sslNegotiation !== 'direct') connection.once('connect', () => connection.requestSsl());
  connection.once(ssl === false ? 'connect' : 'sslconnect', () => connection.cancel(processID, secretKey));
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  return promise;
}

function rawConnection(options: Pick<Cancellable, 'ssl' | 'sslNegotiation'>): RawConnection {
  const connection = new pg.Connection(options as pg.ConnectionConfig) as pg.Connection & RawConnection;
  guard(connection);
  return connection;
}
