import http, { type IncomingMessage } from 'node:http';
import { isJsonObject } from '@branchline/contract';
import type { Clock } from '../clock.ts';
import type { Outgoing } from './body.ts';

/** What came of a request. */
export interface Heard {
  readonly status?: number | undefined;
  readonly receipt?: Receipt | undefined;
  /** How long the service asks not to be asked, in milliseconds. */
  readonly waitMs?: number | undefined;
  readonly isDate: boolean;
  /** An answer began, and broke off. */
  readonly isHalf: boolean;
}

export interface Receipt {
  readonly samplingRate: number;
  /** Places of the rejected events. */
  readonly rejected: readonly number[];
  /** Left out by a service that takes no ids. */
  readonly unknownShapeIds: readonly string[] | undefined;
}

interface PostOptions {
  readonly clock: Clock;
  /** Follows redirects, which no client should do. */
  readonly follows: boolean;
}

export async function post(origin: string, outgoing: Outgoing, options: PostOptions): Promise<Heard> {
  const { promise, resolve } = Promise.withResolvers<Heard>();
  const url = new URL(outgoing.path, origin);
  const request = http.request(url, { method: 'POST', headers: outgoing.headers, agent: false });
  request.on('error', () => resolve({ isDate: false, isHalf: false }));
  request.on('response', (response) => resolve(heard(response, outgoing, options)));
  request.end(outgoing.body);
  return promise;
}

async function heard(response: IncomingMessage, outgoing: Outgoing, options: PostOptions): Promise<Heard> {
  const { statusCode: status, headers } = response;
  let text = '';
  try {
    for await (const chunk of response) text += String(chunk);
  } catch {
    return { isDate: false, isHalf: true };
  }
  if (options.follows && headers.location !== undefined) {
    return post(new URL(headers.location).origin, outgoing, { ...options, follows: false });
  }
  const after = headers['retry-after'];
  const isDate = after !== undefined && !/^\d+$/.test(after);
  const waitMs =
    after === undefined ? undefined : isDate ? Date.parse(after) - options.clock.wall() : Number(after) * 1_000;
  return { status, receipt: status === 200 ? parseReceipt(text) : undefined, waitMs, isDate, isHalf: false };
}

function parseReceipt(text: string): Receipt | undefined {
  if (text === '') return undefined;
  const json: unknown = JSON.parse(text);
  if (!isJsonObject(json)) return undefined;
  const rejected = Array.isArray(json['rejected']) ? json['rejected'].filter(isJsonObject) : [];
  return {
    samplingRate: Number(json['samplingRate']),
    rejected: rejected.map(({ index }) => Number(index)),
    unknownShapeIds: Array.isArray(json['unknownShapeIds']) ? json['unknownShapeIds'].map(String) : undefined,
  };
}
