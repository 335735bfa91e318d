import type { Case, Json } from '@branchline/contract';
import { encodeSegment } from '../engine/http/path.ts';
import type { PlannedRequest } from '../engine/schedule/sender.ts';
import type { Authentication } from './credentials.ts';

/** Real resources for one case, made by the caller just before it runs. */
export interface Prepared {
  /** Values of path parameters, raw. Those under test by the case keep the case's value. */
  path?: Record<string, string>;
  query?: Record<string, string | string[]>;
  headers?: Record<string, string>;
  /** Changes the ordinary body, say to a name not taken yet; the case's own change is put on top. */
  body?: (body: Json) => Json;
}

/** Builds the request of a case: the case's values for what it tests, the caller's for the rest. */
export function buildRequest(
  contractCase: Case,
  body: string | undefined,
  prepared: Prepared,
  authentication: Authentication,
): Omit<PlannedRequest, 'lane'> {
  const { request, varies } = contractCase;
  const kept = varies.in === 'nothing' ? undefined : varies.at;
  const path = { ...request.path, ...omit(prepared.path, varies.in === 'path' ? kept : undefined) };
  const query = { ...request.query, ...omit(prepared.query, varies.in === 'query' ? kept : undefined) };
  const headers = { ...request.headers, ...omit(prepared.headers, varies.in === 'header' ? kept : undefined) };
  const cookie = Object.entries(authentication.cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (cookie.length > 0) headers['cookie'] = [headers['cookie'], ...cookie].filter(Boolean).join('; ');
  if (request.contentType !== undefined) headers['content-type'] = request.contentType;
  return {
    method: (request.method ?? contractCase.method).toUpperCase(),
    path: fill(contractCase.path, path) + writeQuery({ ...query, ...authentication.query }),
    headers: Object.entries({ ...headers, ...authentication.headers }),
    ...(body === undefined ? {} : { body }),
  };
}

function omit<T>(record: Record<string, T> | undefined, name: string | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([key]) => key !== name));
}

function fill(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\{([^}]*)\}/g, (_, name: string) => encodeSegment(values[name] ?? ''));
}

function writeQuery(query: Record<string, string | string[]>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeQueryValue(one)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A comma between the values of a list stays as it is (RFC 6570, form style): encoded, it would belong to a value. */
function encodeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',');
}
