import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { isEventStream } from '@branchline/contract';
import { decompress } from './decompress.ts';

/** An outgoing request. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly [string, string][];
  readonly body?: string | Uint8Array;
}

/** An answer, or as much of it as came. */
export interface Answer {
  readonly status: number;
  readonly httpVersion: string;
  readonly headers: [string, string][];
  /** Decompressed, should the service have compressed it although it was asked not to. */
  readonly body: Buffer;
  readonly milliseconds: number;
  /** The connection had served another exchange before. */
  readonly isReused?: boolean;
}

/** What came of a request, whatever the service did. */
export interface Outcome {
  /** Whole, unless there is a problem. */
  readonly answer?: Answer;
  /** What kept a whole answer from arriving, as a sentence. */
  readonly problem?: string;
  /** There was no connection at all. */
  readonly unreachable?: boolean;
}

/** The most that one exchange may cost. */
export interface Bounds {
  /** From its begin to its end. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

const MAX_HEADER_BYTES = 65_536;
/** Of an answer that is not whole, so much is kept to be shown. */
const MAX_EVIDENCE_BYTES = 65_536;

/** What an exchange runs on. */
export interface Connections {
  /** Left out: a connection of its own, so that no exchange can spoil another. */
  readonly agent?: Agent | undefined;
  /** Ends the exchange. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_REDIRECTS = 3;

/**
 * Sends one request and reads the whole answer; of a stream of events, which need not end, what comes first. Redirects are
 * followed as clients do, but to no other origin, which must not see credentials. Never throws for what a service does.
 */
export async function exchange(outgoing: Outgoing, bounds: Bounds, connections: Connections = {}): Promise<Outcome> {
  let outcome = await exchangeOnce(outgoing, bounds, connections);
  let url: string | undefined = outgoing.url;
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    url = findRedirect(outgoing.method, url, outcome);
    if (url === undefined) return outcome;
    outcome = await exchangeOnce({ ...outgoing, url }, bounds, connections);
  }
  return outcome;
}

/** Where the same request is to be sent again (RFC 9110, 15.4). */
function findRedirect(method: string, from: string, { answer, problem }: Outcome): string | undefined {
  const location = answer === undefined || problem !== undefined ? undefined : findHeader(answer, 'location');
  const isKept = answer?.status === 307 || answer?.status === 308;
  const isRepeated = method === 'GET' && (answer?.status === 301 || answer?.status === 302);
  if (location === undefined || !(isKept || isRepeated) || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  return to.origin === new URL(from).origin ? to.href : undefined;
}

function exchangeOnce(outgoing: Outgoing, bounds: Bounds, { agent, signal }: Connections): Promise<Outcome> {
  return new Promise((resolve) => {
    const started = performance.now();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let head: IncomingMessage | undefined;
    const request = begin(outgoing, agent);

    const end = (outcome: Outcome): void => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
      resolve(outcome);
      if (agent === undefined || outcome.problem !== undefined) request.destroy();
    };
    const finish = (incoming: IncomingMessage): void =>
      end(
        decompress({ ...readAnswer(incoming, chunks, started), isReused: request.reusedSocket }, bounds.maxBodyBytes),
      );
    const fail = (problem: string): void =>
      end(
        head === undefined ? { problem } : { problem, answer: readAnswer(head, chunks, started, MAX_EVIDENCE_BYTES) },
      );
    const abort = (): void => fail('The run was ended.');
    const deadline = setTimeout(
      () => fail(`The service gave no whole answer within ${bounds.timeoutMs / 1_000} s.`),
      bounds.timeoutMs,
    );
    signal?.addEventListener('abort', abort, { once: true });

    request.on('error', (error: ConnectionError) => {
      // A service may close an idle connection at any time: that says nothing about this request.
      if (head === undefined && request.reusedSocket && signal?.aborted !== true) {
        clearTimeout(deadline);
        return resolve(exchangeOnce(outgoing, bounds, { signal }));
      }
      const problem = head === undefined ? explainUnreachable(error) : undefined;
      if (problem === undefined) fail(explainBroken(error));
      else end({ problem, unreachable: true });
    });
    // Nobody asked for it, but the socket would stay open.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail('The service switched to another protocol.');
    });
    request.on('response', (incoming) => {
      head = incoming;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > bounds.maxBodyBytes) fail(`The body had not ended after ${bounds.maxBodyBytes} bytes.`);
        else if (isEventStream(incoming.headers['content-type'])) {
          finish(incoming);
          request.destroy();
        }
      });
      incoming.on('error', (error) => fail(explainBroken(error)));
      incoming.on('end', () => finish(incoming));
    });
    request.end(outgoing.body);
  });
}

function begin({ method, url, headers, body }: Outgoing, agent: Agent | undefined): ClientRequest {
  const length = body === undefined ? (method === 'GET' ? undefined : 0) : Buffer.byteLength(body);
  const all = [
    ['host', new URL(url).host],
    ['connection', agent === undefined ? 'close' : 'keep-alive'],
    ...headers,
    ...(length === undefined ? [] : [['content-length', String(length)]]),
  ];
  const options = { method, agent: agent ?? false, maxHeaderSize: MAX_HEADER_BYTES, headers: all.flat() };
  if (!url.startsWith('https:')) return http.request(url, options);
  const secure: https.RequestOptions & Pick<ConnectionOptions, 'ALPNProtocols'> = {
    ...options,
    ALPNProtocols: ['http/1.1'],
  };
  return https.request(url, secure);
}

/** An agent for the base URL's protocol that keeps up to so many connections open. */
export function createAgent(baseUrl: string, maxSockets: number): Agent {
  const { Agent } = baseUrl.startsWith('https:') ? https : http;
  return new Agent({ keepAlive: true, maxSockets });
}

function readAnswer(
  incoming: IncomingMessage,
  chunks: readonly Buffer[],
  started: number,
  maxBytes = Infinity,
): Answer {
  const { statusCode = 0, httpVersion, rawHeaders } = incoming;
  const headers = Array.from({ length: rawHeaders.length / 2 }, (_, index): [string, string] => [
    (rawHeaders[index * 2] ?? '').toLowerCase(),
    rawHeaders[index * 2 + 1] ?? '',
  ]);
  const milliseconds = Math.round(performance.now() - started);
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const body = Buffer.concat(chunks, Math.min(bytes, maxBytes));
  return { status: statusCode, httpVersion, headers, body, milliseconds };
}

/** The first value of a header. */
export function findHeader({ headers }: { headers: readonly [string, string][] }, wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1];
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

interface ConnectionError extends NodeJS.ErrnoException {
  /** What came and is no HTTP/1.1. */
  readonly rawPacket?: Buffer;
}

const SETTINGS_FRAME = 4;

/** Why there was no connection at all; `undefined` where there was one. */
function explainUnreachable({ code = '', message, rawPacket }: ConnectionError): string | undefined {
  if (
    /no.application.protocol/i.test(code + message) ||
    (code.startsWith('HPE_') && rawPacket?.[3] === SETTINGS_FRAME)
  ) {
    return 'The service speaks HTTP/2 only, and this suite HTTP/1.1: put a proxy between them that speaks both.';
  }
  if (UNREACHABLE.has(code)) return `The service could not be reached (${code}).`;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `The certificate of the service is not trusted (${code}). Name that of its authority in the environment: NODE_EXTRA_CA_CERTS=authority.pem.`;
  }
  if (/^(?:EPROTO|ERR_SSL_.*)$/.test(code)) return `The service does not speak TLS as it should (${code}).`;
  return undefined;
}

function explainBroken({ code, message }: NodeJS.ErrnoException): string {
  return `The service broke the exchange (${code ?? message}).`;
}
