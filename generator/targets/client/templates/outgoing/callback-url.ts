/** A runtime expression of OpenAPI, which stands for a part of a request or of its reply. */
export interface Expression {
  /** As the contract writes it: `$request.body#/callbackUrl`. */
  text: string;
  of: 'request' | 'reply';
  in: 'url' | 'method' | 'status' | 'header' | 'query' | 'path' | 'body';
  /** The name of a header or parameter; of a body the JSON pointer, where the whole is not meant. */
  name: string;
}

/** The URL of a callback: texts, and expressions whose values stand between them. */
export interface CallbackPlan {
  id: string;
  parts: readonly (string | Expression)[];
}

/** A request as its handler has it. */
export interface ExchangedRequest {
  params?: object;
  body?: unknown;
  raw: {
    method: string;
    /** With its query. */
    url: string;
    protocol: string;
    host: string;
    headers: object;
  };
}

/** A reply as its handler gives it. */
export interface ExchangedReply {
  status: number;
  headers?: object | undefined;
  body?: unknown;
}

/** The request that asked for a callback, and the reply to it. */
export interface Exchange {
  request: ExchangedRequest;
  reply?: ExchangedReply;
}

/** The URL of a callback can't be made of this request and reply. The message is one sentence, fit for the client. */
export class CallbackUrlError extends Error {
  override name = 'CallbackUrlError';
  /** As the contract writes it; undefined where no single one is at fault. */
  readonly expression: string | undefined;

  constructor(callback: string, problem: string, expression?: string) {
    super(`The callback ${callback} has no URL: ${problem}.`);
    this.expression = expression;
  }
}

/**
 * The URL that a callback is to be sent to. What stands first in it, up to the end of the host, is taken as it is; a value behind that is
 * encoded, so that it stays one segment of the path, or one value of the query.
 *
 * @throws CallbackUrlError where an expression leads to nothing, or to what no URL can hold.
 */
export function resolveCallbackUrl({ id, parts }: CallbackPlan, exchange: Exchange): string {
  let url = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      url += part;
      continue;
    }
    const fail = (problem: string): CallbackUrlError =>
      new CallbackUrlError(id, `{${part.text}} ${problem}`, part.text);
    const text = toText(findValue(part, exchange, fail), fail);
    const isWithin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*[/?#]/i.test(url);
    if (isWithin && !/[?#]/.test(url) && /^\.+$/.test(text))
      throw fail('is dots alone, which would lead to another path');
    url += isWithin ? encodeURIComponent(text.toWellFormed()) : text;
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CallbackUrlError(id, 'it must be absolute, and begin with http:// or https://');
  return url;
}

type Fail = (problem: string) => CallbackUrlError;

function findValue(expression: Expression, { request, reply }: Exchange, fail: Fail): unknown {
  const { of, in: place, name } = expression;
  const { raw } = request;
  if (place === 'url') return `${raw.protocol}://${raw.host}${raw.url}`;
  if (place === 'method') return raw.method;
  if (place === 'query') {
    const value = new URLSearchParams(/\?(.*)$/s.exec(raw.url)?.[1]).get(name);
    if (value === null) throw fail(`needs the query parameter "${name}", which the request does not have`);
    return value;
  }
  if (place === 'path') {
    const value = readField(request.params, name);
    if (value === undefined) throw fail(`needs the path parameter "${name}", which the request does not have`);
    return value;
  }
  if (of === 'reply' && reply === undefined) throw fail('needs the reply, which is not given');
  if (place === 'status') return reply?.status;
  const from = of === 'request' ? raw : reply;
  if (place === 'header') {
    const value = findHeader(from?.headers, name);
    if (value === undefined) throw fail(`needs the header "${name}", which the ${of} does not have`);
    return value;
  }
  return findInBody(of === 'request' ? request.body : reply?.body, expression, fail);
}

/** Their names differ in capitals only; of several the values stand in a list. */
function findHeader(headers: object | undefined, name: string): unknown {
  const found = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name.toLowerCase());
  const value: unknown = found?.[1];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Follows a JSON pointer (RFC 6901), and says how far it leads. */
function findInBody(body: unknown, { of, name }: Expression, fail: Fail): unknown {
  let value = body;
  let seen = '';
  if (value === undefined) throw fail(`needs the body of the ${of}, which has none`);
  for (const segment of name.split('/').slice(1)) {
    seen += `/${segment}`;
    value = readField(value, segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (value === undefined) throw fail(`needs "${seen}" in the body of the ${of}, which does not have it`);
  }
  return value;
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // Of a list its items alone, by their index.
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function toText(value: unknown, fail: Fail): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  const what = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  throw fail(`is ${what}, which no URL can hold`);
}
