import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Answer } from './answer.ts';
import type { CapturedRequest } from './captured-request.ts';
import type { Clock } from './clock.ts';
import { CouldNotRun } from '../../could-not-run.ts';
import { refuse, sendAnswer } from './send-answer.ts';
import { type Origin, capture, captureGarbage } from './capture.ts';
import type { Recording } from './recording.ts';

/** Says what happens to an attempt; `index` counts them from 0. */
export type Script = (attempt: Pick<CapturedRequest, 'batch' | 'text'>, index: number) => Answer;

export interface ListenOptions {
  readonly script: Script;
  readonly clock: Clock;
  /** Defaults to a free one. */
  readonly port?: number | undefined;
  /** Milliseconds within which a request has to have come as a whole. Defaults to a minute. */
  readonly patience?: number;
}

export interface Listener {
  /** The base URL that the library is given. */
  readonly endpoint: string;
  readonly close: () => Promise<void>;
}

const PATIENCE_MS = 60_000;
/** Together with what is read of a body it bounds the memory that requests under way take. */
const MAX_CONNECTIONS = 100;

/**
 * Plays the service on loopback, and writes down everything that comes.
 *
 * @throws CouldNotRun where the port is taken.
 */
export async function listen(recording: Recording, options: ListenOptions): Promise<Listener> {
  const { script, clock, port, patience = PATIENCE_MS } = options;
  const numberConnection = createNumbering();
  const from = (where: CapturedRequest['where'], socket: Socket): Origin => ({
    at: recording.now(),
    wall: clock.wall(),
    where,
    connection: numberConnection(socket),
  });

  const other = await started({
    patience,
    onRequest: async (request, response) => {
      recording.add(await capture(request, from('elsewhere', request.socket)));
      refuse(response, 404);
    },
    onGarbage: (bytes, socket) => recording.add(captureGarbage(bytes, from('elsewhere', socket))),
  });
  let attempts = 0;
  const main = await started({
    port,
    patience,
    onRequest: async (request, response) => {
      if (recording.isFull) return refuse(response, 503);
      const captured = await capture(request, from('service', request.socket));
      const { fault, body } = captured;
      if (fault === 'broken') return recording.add(captured);
      if (fault === 'endless') {
        const answered = { at: recording.now(), status: 413, headers: [], body: '' };
        recording.add({ ...captured, answer: { kind: 'refused', status: 413 }, answered });
        return refuse(response, answered.status);
      }
      const known = { ...captured, answer: body.length === 0 ? undefined : script(captured, attempts++) };
      recording.add(known);
      sendAnswer(known, response, { elsewhere: other.origin, recording, clock });
    },
    onGarbage: (bytes, socket) => recording.add(captureGarbage(bytes, from('service', socket))),
  });
  return {
    endpoint: main.origin,
    close: async () => {
      await Promise.all([main.close(), other.close()]);
    },
  };
}

/** Gives each connection a number of its own. */
function createNumbering(): (socket: Socket) => number {
  const known = new WeakMap<Socket, number>();
  let last = 0;
  return (socket) => {
    const number = known.get(socket) ?? (last += 1);
    known.set(socket, number);
    return number;
  };
}

interface ServerOptions {
  readonly port?: number | undefined;
  readonly patience: number;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly onGarbage: (bytes: Buffer, socket: Socket) => void;
}

interface Started {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

async function started({ port = 0, patience, onRequest, onGarbage }: ServerOptions): Promise<Started> {
  const server = http.createServer({
    requestTimeout: patience,
    headersTimeout: patience,
    connectionsCheckingInterval: Math.min(1_000, patience),
  });
  server.maxConnections = MAX_CONNECTIONS;
  const busy = new WeakSet<Socket>();
  server.on('request', (request, response) => {
    busy.add(request.socket);
    response.on('finish', () => busy.delete(request.socket));
    void onRequest(request, response);
  });
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (isNoHttp(error) && socket.bytesRead > 0 && !busy.has(socket))
      onGarbage(error.rawPacket ?? Buffer.alloc(0), socket);
    socket.destroy();
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise.catch((error: unknown) => {
    throw new CouldNotRun(`Port ${port} can not be listened on (${String(error)}); choose another with --port.`);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** A connection that is reset, or closed, says nothing of what came over it. */
function isNoHttp({ code = '' }: ClientError): boolean {
  return code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT';
}
