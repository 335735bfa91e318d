import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { streamEvents, type Events } from './events.ts';
import { writeHeader } from './header-value.ts';
import { isItemStream, isJsonStream, streamItems } from './json-items.ts';
import type { OperationPlan } from './plan.ts';
import type { ReplyCheck } from './reply-checks.ts';
import { startStream, type Chunks } from './streams.ts';

/** Any reply that the types of the generated `handlers.ts` allow. */
export interface AnyReply {
  status: number;
  type?: string;
  headers?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

type Payload = string | Buffer | Readable | object | null;

/**
 * Prepares the sending of an operation's replies: sets status and headers, and gives what Fastify is to send.
 *
 * @param check - Looks at each of them first; left out: nobody does.
 */
export function createReplySender(
  { responses }: OperationPlan,
  check?: ReplyCheck,
): (request: FastifyRequest, reply: FastifyReply, answer: AnyReply) => Payload | Promise<Payload> {
  const onlyType = new Map(responses.map(({ status, media }) => [status, media[0]]));
  const exploded = new Set(responses.flatMap(({ exploded: names = [] }) => names));

  return (request, reply, given) => {
    const type =
      given.type ??
      onlyType.get(`${given.status}`) ??
      onlyType.get(`${given.status}`.replace(/..$/, 'XX')) ??
      onlyType.get('default');
    const answer = check === undefined ? given : checkWhole(check, request, given, type);
    const { status, headers, body } = answer;
    reply.code(status);
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined) reply.header(name, writeHeader(value, exploded.has(name.toLowerCase())));
    }
    if (body === undefined) {
      // Else it would be the JSON text `null`.
      reply.serializer(() => '');
      return null;
    }
    reply.type(addCharset(type ?? 'application/octet-stream'));
    const checkItem = check && ((item: unknown, index: number) => check.item(request, answer, type, item, index));
    if (isEventStream(type)) {
      // Whoever stands between shall neither keep events, nor hold them back until there are many.
      for (const [name, value] of UNBUFFERED) if (!reply.hasHeader(name)) reply.header(name, value);
      return makePayload(request, isEvents(body) ? streamEvents(body, checkItem) : body);
    }
    if (type !== undefined && isJsonStream(type))
      return makePayload(request, isItemStream(body) ? streamItems(body, type, checkItem) : body);
    return isJson(type) || type === '*/*' ? jsonPayload(body) : makePayload(request, body);
  };
}

/** What was made ready for a body that must not be sent may be put away. */
function checkWhole(check: ReplyCheck, request: FastifyRequest, answer: AnyReply, type: string | undefined): AnyReply {
  try {
    return check.whole(request, answer, type);
  } catch (error) {
    if (isChunks(answer.body)) void answer.body[Symbol.asyncIterator]().return?.();
    throw error;
  }
}

/** Fastify writes out objects by itself; of the other JSON values it would make text. */
function jsonPayload(body: unknown): Payload {
  return typeof body === 'object' && body !== null ? body : JSON.stringify(body);
}

function makePayload(request: FastifyRequest, body: unknown): Payload | Promise<Payload> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isChunks(body))
    throw new TypeError('The body of this reply must be a string, bytes, or an async iterable of them.');
  return request.method === 'HEAD' ? sendHeadersAlone(body) : startStream(body, request);
}

/** The chunks are never asked for; what was made ready for them may be put away. */
async function sendHeadersAlone(body: Chunks): Promise<Readable> {
  await body[Symbol.asyncIterator]().return?.();
  return Readable.from([]);
}

function isChunks(body: unknown): body is Chunks {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

const UNBUFFERED = [
  ['cache-control', 'no-store'],
  ['x-accel-buffering', 'no'],
] as const;

function isEventStream(type: string | undefined): boolean {
  return type !== undefined && /^text\/event-stream\b/i.test(type);
}

function isEvents(body: unknown): body is Events {
  return typeof body === 'object' && body !== null && (Symbol.asyncIterator in body || Symbol.iterator in body);
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /[/+]json\b/.test(type);
}

function addCharset(type: string): string {
  if (type === '*/*') return 'application/json; charset=utf-8';
  return type.startsWith('text/') && !type.includes('charset=') ? `${type}; charset=utf-8` : type;
}
