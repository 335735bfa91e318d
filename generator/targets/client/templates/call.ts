import { readAnswer } from './answers.ts';
import { writeItems, type Items } from './items.ts';
import type { MediaPlan, OperationPlan, ParameterPlan, SchemePlan } from './plan.ts';
import { cookieText, headerText, pathText, queryTexts } from './styles.ts';

/** A secret, or how to get it: asked for with each request. */
export type Secret = string | (() => string | Promise<string>);

/** A name and a password (HTTP Basic). */
export interface BasicSecret {
  username: string;
  password: string | (() => string | Promise<string>);
}

/** Options of `fetch`: `signal` aborts, `credentials: 'include'` sends a browser's cookies to another origin. */
export interface CallOptions extends Omit<RequestInit, 'method' | 'body' | 'headers'> {
  /** Sent besides those of the operation; they win. */
  headers?: Readonly<Record<string, string>>;
}

export interface ClientOptions<Auth> {
  /** What the contract's paths are appended to: `https://api.example.com/v2`; `''` for the origin of a page. */
  baseUrl: string;
  /** By the name of the security scheme. Of an operation's alternatives the first is used whose schemes are all given. */
  auth?: Auth;
  /** Defaults to the global one. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** For every call; those of a call win. */
  init?: CallOptions;
}

export interface CallRequest {
  params?: object | undefined;
  query?: object | undefined;
  headers?: object | undefined;
  cookies?: object | undefined;
  type?: string | undefined;
  body?: unknown;
}

/** A body that goes as it is: bytes, a text, a `FormData`, a stream. */
export type Bytes = NonNullable<RequestInit['body']>;

interface Draft {
  query: string[];
  headers: Headers;
  cookies: string[];
}

export type Call = <Answer>(plan: OperationPlan, request?: CallRequest, options?: CallOptions) => Promise<Answer>;

/** Prepares the calls of a client. */
export function createCaller<Auth extends object>(
  schemes: Readonly<Record<string, SchemePlan>>,
  { baseUrl, auth, fetch: send = (url, init) => fetch(url, init), init = {} }: ClientOptions<Auth>,
): Call {
  const secrets: Readonly<Record<string, Secret | BasicSecret | undefined>> = { ...auth };
  const base = baseUrl.replace(/\/+$/, '');
  return async <Answer>(plan: OperationPlan, request: CallRequest = {}, options: CallOptions = {}): Promise<Answer> => {
    const draft: Draft = { query: [], headers: new Headers(), cookies: [] };
    draft.headers.set('accept', listAccepted(plan));
    const path = writeParameters(plan, request, draft);
    const body = writeBody(plan, request, draft.headers);
    await authenticate(plan, schemes, secrets, draft);
    if (draft.cookies.length > 0) draft.headers.set('cookie', draft.cookies.join('; '));
    const { headers: always, ...shared } = init;
    const { headers: own, ...single } = options;
    for (const [name, value] of Object.entries({ ...always, ...own })) draft.headers.set(name, value);
    const query = draft.query.length === 0 ? '' : `?${draft.query.join('&')}`;
    const response = await send(`${base}${path}${query}`, {
      ...(redirects(plan) && { redirect: 'manual' }),
      ...shared,
      ...single,
      method: plan.method,
      headers: draft.headers,
      ...body,
    });
    // What it holds is what the generated types say of the plan.
    return (await readAnswer(plan, response)) as Answer;
  };
}

/** All that the contract documents, so that errors may come as they are described. */
function listAccepted({ answers }: OperationPlan): string {
  const types = Object.values(answers).flatMap((media) => media.map(({ type }) => type));
  return [...new Set(types)].join(', ') || '*/*';
}

/** A documented redirection is an answer; it would be followed otherwise. */
function redirects({ answers }: OperationPlan): boolean {
  return Object.keys(answers).some((status) => status.startsWith('3'));
}

/** @returns the path */
function writeParameters({ path, parameters }: OperationPlan, request: CallRequest, draft: Draft): string {
  let written = path;
  for (const plan of parameters) {
    const value = findValue(plan, request);
    if (value === undefined) {
      if (plan.in === 'path') throw new TypeError(`The path parameter "${plan.name}" is missing.`);
      continue;
    }
    // A function as the replacement: "$&" in a value is a text like any other.
    if (plan.in === 'path') written = written.replaceAll(`{${plan.name}}`, () => pathText(plan, value));
    else if (plan.in === 'query') draft.query.push(...queryTexts(plan, value));
    else if (plan.in === 'header') draft.headers.set(plan.name, headerText(plan, value));
    else draft.cookies.push(`${plan.name}=${cookieText(plan, value)}`);
  }
  if (written.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    throw new TypeError(`The path "${written}" has a segment of dots alone, which no URL can hold.`);
  }
  return written;
}

const PLACES = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

function findValue({ in: place, name }: ParameterPlan, request: CallRequest): unknown {
  const values: Readonly<Record<string, unknown>> = { ...request[PLACES[place]] };
  return values[name];
}

function writeBody({ sends }: OperationPlan, { type, body }: CallRequest, headers: Headers): RequestInit {
  const media =
    sends.find((one) => one.type === type) ?? sends.find(({ type: range }) => isIn(type, range)) ?? sends[0];
  if (media === undefined || body === undefined) return {};
  const text = printBody(media, body, type ?? media.type);
  // A form with files brings its own boundary.
  if (!(text instanceof FormData)) headers.set('content-type', type ?? media.type);
  // Node asks for it where a body is a stream; no other reads it.
  return text instanceof ReadableStream ? Object.assign({ body: text }, { duplex: 'half' as const }) : { body: text };
}

function isIn(type: string | undefined, range: string): boolean {
  return type !== undefined && (range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1))));
}

function printBody({ kind, fields = [] }: MediaPlan, body: unknown, type: string): Bytes {
  if (kind === 'json') return JSON.stringify(body);
  if (kind === 'items') return writeItems(body as Items<unknown>, type);
  if (kind === 'multipart' && !(body instanceof FormData)) return printParts(fields, Object(body));
  if (kind !== 'form' || body instanceof URLSearchParams) return body as Bytes;
  const written = Object.entries(Object(body)).filter(([, value]) => value !== undefined);
  return written.flatMap(([name, value]) => queryTexts(findStyle(fields, name, value), value)).join('&');
}

/** Files go as they are, objects as JSON, and a list as a part for each of its items. */
function printParts(fields: NonNullable<MediaPlan['fields']>, body: object): FormData {
  const form = new FormData();
  const append = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) append(name, item);
    else if (value instanceof Blob) form.append(name, value);
    else if (typeof value !== 'object' || value === null) form.append(name, String(value ?? ''));
    else form.append(name, new Blob([JSON.stringify(value)], { type: 'application/json' }));
  };
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const style = fields.find((field) => field.name === name && field.json !== true);
    if (style === undefined) append(name, value);
    else for (const [key, text] of new URLSearchParams(queryTexts(style, value).join('&'))) form.append(key, text);
  }
  return form;
}

/** A field without a style of its own: a list repeats its name, an object is JSON (OpenAPI, Encoding Object). */
function findStyle(fields: MediaPlan['fields'] = [], name: string, value: unknown) {
  const json = typeof value === 'object' && value !== null && !Array.isArray(value);
  return fields.find((field) => field.name === name) ?? { name, style: 'form', explode: true, json };
}

type Secrets = Readonly<Record<string, Secret | BasicSecret | undefined>>;

async function authenticate(
  { security }: OperationPlan,
  schemes: Readonly<Record<string, SchemePlan>>,
  secrets: Secrets,
  draft: Draft,
): Promise<void> {
  const isGiven = (name: string) => secrets[name] !== undefined || schemes[name]?.kind === 'elsewhere';
  for (const name of security.find((names) => names.length > 0 && names.every(isGiven)) ?? []) {
    const [scheme, secret] = [schemes[name], secrets[name]];
    if (scheme !== undefined && secret !== undefined) await present(scheme, secret, draft);
  }
}

async function present(
  scheme: SchemePlan,
  secret: Secret | BasicSecret,
  { headers, query, cookies }: Draft,
): Promise<void> {
  if (scheme.kind === 'elsewhere') return;
  const text = await readSecret(secret);
  if (scheme.kind === 'basic') headers.set('authorization', `Basic ${base64(text)}`);
  else if (scheme.kind === 'authorization') headers.set('authorization', `${scheme.prefix} ${text}`);
  else if (scheme.kind === 'header') headers.set(scheme.name, text);
  else
    (scheme.kind === 'query' ? query : cookies).push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(text)}`);
}

async function readSecret(secret: Secret | BasicSecret): Promise<string> {
  if (typeof secret === 'object') return `${secret.username}:${await readSecret(secret.password)}`;
  return typeof secret === 'function' ? secret() : secret;
}

/** Of the text's UTF-8 (RFC 7617). */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
