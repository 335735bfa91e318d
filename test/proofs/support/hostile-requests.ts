import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import type { ContractOperation } from './contract-operations.ts';
import { hostileHeader, hostileJson, hostileText, urlEncoded } from './hostile-values.ts';
import type { Access } from './installation.ts';

/** A request as it goes over the wire; every character of its texts is one byte. */
export interface HostileRequest {
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** Sent without an end, which the client then makes of it: an answer may or may not come. */
  breaksOff: boolean;
  /** Whether nothing before its body is against HTTP as Node knows it, so that the body is read, or thrown away, until it is answered. */
  hasPlainHead: boolean;
  /** Whether it carries credentials that are right. */
  authorised: boolean;
}

/** What is right, and is made wrong. */
export interface Targets {
  access: Access;
  /** The `cookie` headers of admins' sessions. */
  cookies: readonly string[];
  /** What path parameters name, in braces. */
  ids: ReadonlyMap<string, string>;
  /** Cursors that the lists gave out. */
  cursors: readonly string[];
}

/** The operation's example, with credentials that are right and with none: what is tried first, whatever chance brings later. */
export function plainRequests(operation: ContractOperation, targets: Targets): HostileRequest[] {
  const { ids, access, cookies } = targets;
  const path = operation.path.replaceAll(/\{\w+\}/g, (name) => ids.get(name) ?? name);
  const query = operation.required.map((name) => `${name}=${encodeURIComponent(operation.query.get(name) ?? '')}`);
  const { headers, bytes } =
    operation.body === undefined
      ? NO_BODY
      : { headers: [JSON_TYPE], bytes: Buffer.from(JSON.stringify(operation.body)) };
  return [[FROM_OWN_PAGE], rightHeaders(access, cookies[0] ?? '')].map((credentials) => ({
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [['host', 'a'] as const, ...credentials, ...headers, ...framed('length', bytes)],
    body: bytes,
    breaksOff: false,
    hasPlainHead: true,
    authorised: credentials.length > 1,
  }));
}

/** Requests to one operation, from nearly right to quite wrong. */
export function hostileRequests(operation: ContractOperation, targets: Targets): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      method: mostly(
        operation.method,
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE', 'QUERY', 'BREW'),
      ),
      path: path(operation, targets),
      query: query(operation, targets),
      credentials: credentials(targets),
      body: operation.body === undefined ? mostly(NO_BODY, body({})) : body(operation.body),
      more: mostly([], fc.array(hostileHeader, { maxLength: 4 }), 4),
      framing: mostly('length', fc.constantFrom('chunked', 'broken off', 'nonsense')),
    })
    .map(({ method, path, query, credentials, body, more, framing }) => ({
      method,
      target: path + query,
      headers: [
        ['host', 'a'] as const,
        ...credentials.headers,
        ...body.headers,
        ...more,
        ...framed(framing, body.bytes),
      ],
      body: framing === 'chunked' ? chunked(body.bytes) : body.bytes,
      breaksOff: framing === 'broken off' || framing === 'nonsense',
      hasPlainHead: METHODS.includes(method) && more.length === 0 && isPlain(path + query, credentials.headers),
      authorised: credentials.right,
    }));
}

function isPlain(target: string, headers: Credentials['headers']): boolean {
  const values = headers.map(([, value]) => value).join('');
  return (
    /^(\/|http:\/\/)[!-~]*$/.test(target) &&
    /^[ -~\x80-\xff]*$/.test(values) &&
    target.length + values.length < MOST_HEAD
  );
}

/** Clearly less than the server reads of the headers. */
const MOST_HEAD = 15_000;

export function bytesOf({ method, target, headers, body }: HostileRequest): Buffer {
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), body]);
}

function mostly<T, U>(right: T, wrong: fc.Arbitrary<U>, weight = 8): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: wrong });
}

function path({ path }: ContractOperation, { ids }: Targets): fc.Arbitrary<string> {
  const wrong = urlEncoded(
    fc.oneof(
      hostileText,
      fc.tuple(fc.constantFrom(...ids.values()), hostileText).map((texts) => texts.join('')),
    ),
  );
  const segments = path
    .split('/')
    .map((segment) => mostly(ids.get(segment) ?? segment, wrong, ids.has(segment) ? 8 : 50));
  const joined = fc.tuple(...segments).map((parts) => `/${parts.slice(1).join('/')}`);
  return fc.oneof(
    { weight: 19, arbitrary: joined },
    {
      weight: 1,
      arbitrary: joined.chain((one) =>
        fc.constantFrom(`http://a${one}`, `/${one}`, `${one}/`, one.slice(1), `${one};a`, '*', ''),
      ),
    },
  );
}

function query({ query }: ContractOperation, { cursors }: Targets): fc.Arbitrary<string> {
  const value = fc.oneof(urlEncoded(hostileText), tampered(cursors).map(encodeURIComponent));
  const known = [...query].map(([name, example]) =>
    fc.tuple(fc.constant(name), name === 'cursor' ? tampered(cursors) : mostly(encodeURIComponent(example), value)),
  );
  const pair = fc.oneof(...known.map((arbitrary) => ({ weight: 3, arbitrary })), {
    weight: 1,
    arbitrary: fc.tuple(urlEncoded(hostileText), value),
  });
  const pairs = fc.oneof(
    { weight: 6, arbitrary: fc.array(pair, { maxLength: 4 }) },
    {
      weight: 1,
      arbitrary: fc.tuple(pair, fc.constantFrom(2, 6, 300)).map(([one, times]) => Array<typeof one>(times).fill(one)),
    },
  );
  return pairs.map((all) => (all.length === 0 ? '' : `?${all.map(([name, value]) => `${name}=${value}`).join('&')}`));
}

/** Cursors that were given out, as they are and with another content. */
function tampered(cursors: readonly string[]): fc.Arbitrary<string> {
  const given = fc.constantFrom(...cursors);
  const content = given.map((cursor): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  const changed = fc
    .tuple(content, fc.nat({ max: 5 }), hostileJson)
    .map(([values, place, json]) =>
      values.map((value, index) => (index === place % values.length ? json : JSON.stringify(value))),
    )
    .map((values) =>
      Buffer.from(`[${values.join(',')}]`)
        .toString('base64url')
        .slice(0, 12_000),
    );
  return fc.oneof(
    given,
    changed,
    given.map((cursor) => `${cursor}AA`),
    hostileText.map((text) => Buffer.from(text).toString('base64url')),
  );
}

interface Credentials {
  right: boolean;
  headers: [name: string, value: string][];
}

/** Without it no request that signs somebody in, or uses a cookie, is looked at any further. */
const FROM_OWN_PAGE: [name: string, value: string] = ['sec-fetch-site', 'same-origin'];

function rightHeaders({ authorization, apiKey }: Access, cookie: string): Credentials['headers'] {
  return [['authorization', authorization], ['api-key', apiKey], ['cookie', cookie], FROM_OWN_PAGE];
}

function credentials({ access, cookies }: Targets): fc.Arbitrary<Credentials> {
  const right = fc
    .constantFrom(...cookies)
    .map((cookie): Credentials => ({ right: true, headers: rightHeaders(access, cookie) }));
  const { authorization, apiKey } = access;
  const [name = '', secret = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
  const pairs = hostileText.chain((text) =>
    fc.constantFrom(
      `${name}${text}:${secret}`,
      `${text}:${secret}`,
      `${name}:${secret}${text}`,
      `${name}:${text}`,
      text,
    ),
  );
  const wrong = fc.oneof(
    fc.constant([]),
    pairs
      .filter((pair) => pair.normalize('NFC') !== `${name}:${secret}`)
      .map((pair) => [`Basic ${Buffer.from(pair).toString('base64')}`]),
    hostileText.map((text) => [`Basic ${Buffer.from(text).toString('latin1')}`]),
    fc.constant([authorization, authorization]),
  );
  const wrongKey = fc.oneof(
    fc.constant([]),
    hostileText.map((text) => [Buffer.from(`${apiKey.slice(0, 10)}${text}`).toString('latin1')]),
  );
  const wrongCookie = fc.oneof(
    fc.constant([]),
    fc.tuple(fc.constantFrom(...cookies), hostileText).chain(([cookie, text]) =>
      fc.constantFrom(
        // Each has lost a character of its token.
        [Buffer.from(cookie.slice(0, -1) + text).toString('latin1')],
        [Buffer.from(text).toString('latin1')],
        [`${cookie.slice(0, -1)}~`.repeat(20)],
      ),
    ),
  );
  const headers = fc
    .tuple(wrong, wrongKey, wrongCookie, mostly([FROM_OWN_PAGE], fc.constant([])))
    .map(([accounts, keys, sessions, page]) => [
      ...page,
      ...accounts.map((value): [string, string] => ['authorization', value]),
      ...keys.map((value): [string, string] => ['api-key', value]),
      ...sessions.map((value): [string, string] => ['cookie', value]),
    ]);
  return fc.oneof(
    { weight: 3, arbitrary: right },
    { weight: 2, arbitrary: headers.map((all) => ({ right: false, headers: all })) },
  );
}

interface Body {
  headers: [name: string, value: string][];
  bytes: Buffer;
}

const NO_BODY: Body = { headers: [], bytes: Buffer.alloc(0) };

const JSON_TYPE: [string, string] = ['content-type', 'application/json'];

function body(example: unknown): fc.Arbitrary<Body> {
  const text = json(example);
  const encoded = fc.oneof(
    { weight: 6, arbitrary: text.map((one) => Buffer.from(one)) },
    { weight: 1, arbitrary: text.map((one) => Buffer.from(`\ufeff${one}`)) },
    { weight: 1, arbitrary: text.map((one) => Buffer.from(one, 'utf16le')) },
    { weight: 1, arbitrary: text.map((one) => Buffer.from(one.replace('"', '"\xff'), 'latin1')) },
    {
      weight: 1,
      arbitrary: fc.tuple(text, fc.nat()).map(([one, at]) => Buffer.from(one).subarray(0, at % (one.length + 1))),
    },
    { weight: 1, arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
  );
  const plain = encoded.map((bytes): Body => ({ headers: [JSON_TYPE], bytes }));
  const zipped = fc
    .tuple(encoded, fc.constantFrom(...ZIPS))
    .map(([bytes, zip]): Body => ({ headers: [JSON_TYPE, ['content-encoding', 'gzip']], bytes: zip(bytes) }));
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: zipped });
}

let bomb: Buffer | undefined;

const ZIPS: ((bytes: Buffer) => Buffer)[] = [
  gzipSync,
  (bytes) => gzipSync(bytes).subarray(0, -5),
  (bytes) => Buffer.concat([gzipSync(bytes), bytes]),
  (bytes) => gzipSync(gzipSync(bytes)),
  (bytes) => gzipSync(Buffer.concat([bytes, Buffer.alloc(1_048_576, ' ')])),
  () => (bomb ??= gzipSync(Buffer.alloc(256 * 1_048_576))),
];

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The example with up to three of its values replaced, or a field more. Its ids are new ones, so that it is taken each time. */
function json(example: unknown): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(), json: hostileJson, key: fc.option(hostileText) });
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  return fc.oneof(fc.constant([]), changes).map((changes) => {
    const holder: Record<string, unknown> = { body: structuredClone(example) };
    for (const [number, { at, key }] of changes.entries()) {
      const places = placesIn(holder);
      const { parent, name } = places[at % places.length] ?? { parent: holder, name: 'body' };
      const inside = parent[name];
      if (key !== null && typeof inside === 'object' && inside !== null)
        Object.assign(inside, { [`key${number}@`]: `json${number}@` });
      else parent[name] = `json${number}@`;
    }
    const written = JSON.stringify(holder['body']).replaceAll(UUID, () => randomUUID());
    return changes.reduce(
      (text, { json, key }, number) =>
        text.replace(`"json${number}@"`, () => json).replace(`"key${number}@"`, () => JSON.stringify(key)),
      written,
    );
  });
}

interface Place {
  parent: Record<string, unknown>;
  name: string;
}

/** Every value in it, at all levels. */
function placesIn(parent: Record<string, unknown>): Place[] {
  return Object.entries(parent).flatMap(([name, value]) => {
    const below = typeof value === 'object' && value !== null ? placesIn(value as Record<string, unknown>) : [];
    return [{ parent, name }, ...below];
  });
}

function framed(framing: string, { length }: Buffer): [name: string, value: string][] {
  if (framing === 'chunked') return [['transfer-encoding', 'chunked']];
  if (framing === 'broken off') return [['content-length', String(length + 10)]];
  if (framing === 'nonsense')
    return [
      ['transfer-encoding', 'gzip, chunked'],
      ['content-length', '-1'],
    ];
  return length === 0 ? [] : [['content-length', String(length)]];
}

function chunked(bytes: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from('0\r\n\r\n');
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
}
