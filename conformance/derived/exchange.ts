import http from 'node:http';
import https from 'node:https';
import { type HttpResponse, isEventStream } from '@branchline/contract';

/** A request as it goes out. */
export interface HttpRequest {
  /** Upper case. */
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The server did not answer as HTTP demands: it was silent, or broke the connection. The message is a sentence. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * Sends one request and reads the whole answer; of a stream of events, which need not end, what comes first.
 *
 * @param agent keeps connections open between requests.
 * @param timeLimitMs for the whole exchange.
 * @throws NoAnswer where the server took the connection but gave no whole answer.
 * @throws Error where the server could not be reached.
 */
export function send(
  request: HttpRequest,
  agent: http.Agent,
  timeLimitMs: number,
  stop: AbortSignal,
): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  const client = request.url.startsWith('https:') ? https : http;
  const payload = request.body === undefined ? undefined : Buffer.from(request.body, 'utf8');
  const limit = AbortSignal.timeout(timeLimitMs);
  const outgoing = client.request(request.url, {
    method: request.method,
    agent,
    signal: AbortSignal.any([limit, stop]),
    headers: { ...request.headers, ...(payload === undefined ? {} : { 'content-length': String(payload.length) }) },
  });
  outgoing.once('error', (error) => reject(explained(error, limit, timeLimitMs)));
  outgoing.once('response', (incoming) => {
    const chunks: Buffer[] = [];
    const answer = () =>
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (!isEventStream(incoming.headers['content-type'])) return;
      answer();
      incoming.destroy();
    });
    incoming.once('error', (error) => reject(explained(error, limit, timeLimitMs)));
    incoming.once('end', answer);
  });
  outgoing.end(payload);
  return promise;
}

/** An agent for the base URL's protocol that keeps up to `connections` open. */
export function agentFor(baseUrl: string, connections: number): http.Agent {
  const options = { keepAlive: true, maxSockets: connections };
  return baseUrl.startsWith('https:') ? new https.Agent(options) : new http.Agent(options);
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function explained(error: NodeJS.ErrnoException, limit: AbortSignal, timeLimitMs: number): Error {
  if (limit.aborted) return new NoAnswer(`The server gave no whole answer within ${timeLimitMs} ms.`, { cause: error });
  if (unreachable.has(error.code ?? '') || error.name === 'AbortError') return error;
  return new NoAnswer(`The server broke the exchange (${error.code ?? error.message}).`, { cause: error });
}
