import { STATUS_CODES } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { ErrorPlan, ResponsePlan } from './plan.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the operation that a route serves. */
    contractResponses?: readonly ResponsePlan[];
  }
  interface FastifyRequest {
    /** How most operations of the contract tell errors, for what is no operation's. */
    usualError?: ErrorPlan | undefined;
  }
}

/** What is sent where a request is refused, or fails. */
export interface ErrorReply {
  type: string;
  headers: Record<string, string>;
  body: unknown;
}

/**
 * The body of an error as the contract documents it for a status of the operation that was asked for; where there is no such operation, as
 * most of them document it. Where it documents none that a sentence could be told in, `{ "error": sentence }`.
 *
 * @param told - Of more than 2,000 UTF-16 units the beginning and the end are told.
 */
export function errorReply(request: FastifyRequest, status: number, told: string): ErrorReply {
  const plan = findPlan(request, status);
  const sentence = shorten(told);
  if (plan === undefined) return { type: 'application/json; charset=utf-8', headers: {}, body: { error: sentence } };
  const filled = fill(plan, status, sentence);
  const isText = typeof filled === 'string' && !/[/+]json\b/.test(plan.type);
  // Fastify would write out objects of the media type application/json alone.
  const body = isText ? writeText(plan.type, filled) : JSON.stringify(filled);
  return { type: `${plan.type}; charset=utf-8`, headers: { ...plan.headers }, body };
}

/** The most of a sentence that is told, in UTF-16 units. */
const MOST_TOLD = 2_000;

/** What is told of a longer one, at its beginning and at its end. */
const ENDS = 200;

/** What is told of a path or a value may repeat it, and it may be as long as a request. */
function shorten(sentence: string): string {
  if (sentence.length <= MOST_TOLD) return sentence;
  return `${sentence.slice(0, ENDS)}…${sentence.slice(-ENDS)}`.toWellFormed();
}

/** XML gets an element, since a bare sentence is none. */
function writeText(type: string, sentence: string): string {
  if (!/[/+]xml\b/.test(type)) return sentence;
  return `<error>${sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</error>`;
}

function findPlan(request: FastifyRequest, status: number): ErrorPlan | undefined {
  if (request.is404) return request.usualError;
  // A request that can't be read at all has no route.
  const responses = request.routeOptions?.config?.contractResponses ?? [];
  const family = `${String(status).charAt(0)}XX`;
  return [String(status), family, 'default']
    .flatMap((wanted) => responses.filter((one) => one.status.toUpperCase() === wanted.toUpperCase()))
    .at(0)?.error;
}

function fill(plan: ErrorPlan, status: number, sentence: string): unknown {
  const places = [
    ...plan.sentence.map((path) => ({ path, value: sentence })),
    ...plan.status.map((path) => ({ path, value: status })),
    ...plan.title.map((path) => ({ path, value: STATUS_CODES[status] ?? String(status) })),
  ];
  return places.reduce<unknown>((body, { path, value }) => put(body, path, value), structuredClone(plan.body));
}

function put(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof body !== 'object' || body === null) return body;
  Reflect.set(body, name, put(Reflect.get(body, name), rest, value));
  return body;
}
