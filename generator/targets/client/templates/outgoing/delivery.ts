import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as lookupAddresses } from 'node:dns/promises';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublic } from './addresses.ts';
import { SendError } from './send-error.ts';

/** Where a request is about to go. */
export interface Destination {
  /** As the URL has it. */
  host: string;
  port: number;
  /** An IP address of the host. */
  address: string;
}

/** A request as it is about to be sent. */
export interface OutgoingMessage {
  readonly method: string;
  readonly url: string;
  /** May be changed. */
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface DeliveryOptions {
  /**
   * Whether a request may go to an address that is not public: of this host, of its network. Asked for each address of the host; left out,
   * all of them are refused. Public ones may always be sent to.
   */
  permit?: ((destination: Destination) => boolean) | undefined;
  /** How long a receiver may take for its whole answer, in milliseconds. Defaults to 10,000. */
  timeout?: number | undefined;
  /** Of the body of an answer. Defaults to 1 MiB. */
  maxReplyBytes?: number | undefined;
  /** Is called with each request before it is sent, to sign it, say. */
  beforeSend?: ((request: OutgoingMessage) => void | Promise<void>) | undefined;
}

const DEFAULT_TIMEOUT = 10_000;
const DEFAULT_MAX_REPLY_BYTES = 1024 * 1024;

/**
 * Sends a request to a URL that somebody else has chosen, and reads the answer whole. Redirections are not followed. Each request has a
 * connection of its own, to an address that has been looked at.
 *
 * @throws SendError where it was not sent, or has no whole answer.
 */
export async function deliver(url: URL, init: RequestInit, options: DeliveryOptions): Promise<Response> {
  const { signal, ...rest } = init;
  const { timeout = DEFAULT_TIMEOUT, maxReplyBytes = DEFAULT_MAX_REPLY_BYTES } = options;
  const prepared = new Request(url, rest);
  const { method, headers } = prepared;
  const body = new Uint8Array(await prepared.arrayBuffer());
  await options.beforeSend?.({ method, url: url.href, headers, body });
  const limit = AbortSignal.timeout(timeout);
  const either = signal == null ? limit : AbortSignal.any([limit, signal]);
  try {
    const lookup = guardLookup(url, options);
    const answer = await exchange(url, { method, headers, body, signal: either, lookup });
    return await readAnswer(url, answer, maxReplyBytes);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SendError) throw error;
    if (limit.aborted) throw new SendError('timeout', `${url.host} did not answer within ${timeout} ms.`);
    throw new SendError('failed', `${url.host} has not answered: ${findReason(error)}.`, { cause: error });
  }
}

/** Where several addresses of a host were tried, the first of their errors says it. */
function findReason(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).replace(/\.$/, '');
}

interface Prepared extends Omit<OutgoingMessage, 'url'> {
  signal: AbortSignal;
  lookup: LookupFunction;
}

function exchange(url: URL, { method, headers, body, ...how }: Prepared): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestTls : requestPlain;
    request(url, { method, headers: Object.fromEntries(headers), agent: false, ...how })
      .on('response', resolve)
      .on('error', reject)
      // Where nobody listens, Node drops the connection, and neither answers nor fails.
      .on('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new Error('it changes to another protocol'));
      })
      .on('close', () => reject(new Error('the connection was closed')))
      .end(body);
  });
}

/**
 * Resolves names for a connection to a URL, and refuses what must not be connected to.
 *
 * @throws SendError where the URL names such an address itself: nothing is resolved then.
 */
function guardLookup(url: URL, { permit = () => false }: DeliveryOptions): LookupFunction {
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const judge = (address: string): SendError | undefined => {
    if (isPublic(address) || permit({ host, port, address })) return undefined;
    const where = host === address ? '' : `, which is ${address}`;
    return new SendError(
      'refused',
      `Nothing is sent to ${host}${where}: this is not a public address. The option "permit" can permit it.`,
    );
  };
  const problem = isIP(host) === 0 ? undefined : judge(host);
  if (problem !== undefined) throw problem;
  const resolve = async (name: string, options: LookupOptions): Promise<LookupAddress[]> => {
    const found = await lookupAddresses(name, { ...options, all: true });
    const refused = found.map(({ address }) => judge(address)).find((one) => one !== undefined);
    if (refused !== undefined) throw refused;
    return found;
  };
  return (name, options, callback) => {
    resolve(name, options).then(
      (found) =>
        options.all === true ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family),
      (error: Error) => callback(error, []),
    );
  };
}

async function readAnswer(url: URL, answer: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer<ArrayBuffer>>) {
    size += chunk.length;
    if (size > maxBytes) throw new SendError('too-large', `${url.host} answered with more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) headers.append(name, value);
  const { statusCode: status = 0 } = answer;
  return new Response(size === 0 ? null : new Blob(chunks), { status, headers });
}
