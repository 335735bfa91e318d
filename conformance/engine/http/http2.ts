import http2, { type ClientHttp2Session } from 'node:http2';
import { Arrival } from './arrival.ts';
import { type Bounds, type Head, type Outcome, type Outgoing, type Transport, findHeader } from './client.ts';
import { type ConnectionError, explainBroken, explainUnreachable, isOtherVersion } from './connection-errors.ts';
import { lengthHeader, pairHeaders } from './headers.ts';
import { sendBody } from './send-body.ts';
import { type TlsOptions, toNodeTls } from './tls.ts';

const { NGHTTP2_NO_ERROR } = http2.constants;

/** What HTTP/2 says otherwise, or not at all (RFC 9113, 8.2.2 and 8.3.1). */
const OF_CONNECTIONS = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The service had closed the connection before it could see the request. */
const STALE: Outcome = { problem: 'The connection was closed.' };

const OTHER_VERSION = 'The service does not speak HTTP/2, as --http2 says it does.';

/** A connection, and what is known of it. */
interface Connection {
  readonly session: ClientHttp2Session;
  /** Its other end has said what it can do, as nothing but HTTP/2 does. */
  isHttp2: boolean;
  /** It has carried an answer. */
  isUsed: boolean;
}

/** HTTP/2, each exchange on a connection of its own, or all of them on one. */
export class Http2Transport implements Transport {
  readonly #tls: TlsOptions | undefined;
  readonly #isKept: boolean;
  #kept: Connection | undefined;

  constructor(tls: TlsOptions | undefined, isKept: boolean) {
    this.#tls = tls;
    this.#isKept = isKept;
  }

  async send(outgoing: Outgoing, bounds: Bounds, signal?: AbortSignal): Promise<Outcome> {
    const connection = this.#findConnection(new URL(outgoing.url).origin);
    const outcome = await sendOver(connection, outgoing, bounds, signal);
    if (!this.#isKept) connection.session.destroy();
    return outcome === STALE ? new Http2Transport(this.#tls, false).send(outgoing, bounds, signal) : outcome;
  }

  close(): void {
    this.#kept?.session.destroy();
  }

  #findConnection(origin: string): Connection {
    if (this.#kept !== undefined && !this.#kept.session.closed) return this.#kept;
    const connection = connect(origin, this.#tls);
    if (this.#isKept) this.#kept = connection;
    return connection;
  }
}

function connect(origin: string, tls: TlsOptions | undefined): Connection {
  // Some cases send a header twice that may come only once.
  const options = { ...toNodeTls(tls), strictSingleValueFields: false };
  const connection: Connection = { session: http2.connect(origin, options), isHttp2: false, isUsed: false };
  connection.session.once('remoteSettings', () => (connection.isHttp2 = true));
  // Its exchanges fail for the same reason.
  connection.session.on('error', () => {});
  return connection;
}

async function sendOver(
  connection: Connection,
  outgoing: Outgoing,
  bounds: Bounds,
  signal?: AbortSignal,
): Promise<Outcome> {
  const isReused = connection.isUsed;
  const arrival = new Arrival(bounds, signal);
  const stream = connection.session.request(listHeaders(outgoing), { endStream: outgoing.body === undefined });
  const breakOff = (error: ConnectionError): void => {
    if (arrival.hasBegun) arrival.fail(explainBroken(error));
    else if (isReused && connection.session.destroyed && signal?.aborted !== true) arrival.end(STALE);
    else arrival.end(explainNoAnswer(connection, error));
  };
  stream.on('response', (_headers, _flags, rawHeaders) => arrival.begin(readHead(rawHeaders)));
  stream.on('data', (chunk: Buffer) => arrival.add(chunk, isReused));
  stream.on('error', breakOff);
  stream.on('close', () => {
    if (stream.readableEnded && stream.rstCode === NGHTTP2_NO_ERROR) arrival.finish(isReused);
    breakOff({ name: 'Error', message: `stream closed with code ${stream.rstCode}` });
  });
  if (outgoing.body !== undefined) void sendBody(stream, outgoing);
  const outcome = await arrival.outcome;
  stream.destroy();
  connection.isUsed ||= outcome.answer !== undefined;
  return outcome;
}

/** Raw, so that a header may come twice. */
function listHeaders(outgoing: Outgoing): string[] {
  const { method, url, headers } = outgoing;
  const { host, pathname, search, protocol } = new URL(url);
  const [, authority = host] = headers.find(([name]) => name.toLowerCase() === 'host') ?? [];
  const others = headers.filter(([name]) => !OF_CONNECTIONS.has(name.toLowerCase()));
  return [
    [':method', method],
    [':scheme', protocol.slice(0, -1)],
    [':authority', authority],
    [':path', pathname + search],
    ...others,
    ...lengthHeader(outgoing),
  ].flat();
}

function readHead(rawHeaders: readonly string[]): Head {
  const all = pairHeaders(rawHeaders);
  const headers = all.filter(([name]) => !name.startsWith(':'));
  return { status: Number(findHeader({ headers: all }, ':status')), httpVersion: '2.0', headers };
}

/** An error of the connection is the cause of that of its streams. */
function explainNoAnswer({ isHttp2 }: Connection, error: ConnectionError): Outcome {
  if (isHttp2) return { problem: explainBroken(error) };
  const { cause } = error;
  const problem = cause instanceof Error && !isOtherVersion(cause) ? explainUnreachable(cause) : undefined;
  return { problem: problem ?? OTHER_VERSION, unreachable: true };
}
