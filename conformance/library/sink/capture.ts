import type { IncomingMessage } from 'node:http';
import { type Arrival, batchOf, MAX_READ_BYTES, type ReadingFault, textOf } from './captured-request.ts';

/** What is known of a request before it is read. */
export type Origin = Pick<Arrival, 'at' | 'where' | 'connection'>;

/** Reads a request to its end, but no more of its body than anybody looks at. */
export async function received(request: IncomingMessage, origin: Origin): Promise<Arrival> {
  const { body, fault } = await bodyOf(request);
  const { method = '', url = '', rawHeaders } = request;
  const read = textOf(body);
  const problem = fault ?? read.fault;
  return {
    ...origin,
    method,
    url,
    headers: pairs(rawHeaders),
    body,
    text: read.text,
    batch: batchOf(read.text),
    answer: undefined,
    ...(problem === undefined ? {} : { fault: problem }),
  };
}

/** What came over a connection and is no request. */
export function garbage(bytes: Buffer, origin: Origin): Arrival {
  const body = bytes.subarray(0, MAX_READ_BYTES);
  const none = { method: '(no HTTP)', url: '', headers: [], batch: undefined, answer: undefined };
  return { ...origin, ...none, body, text: body.toString('utf8'), fault: 'garbage' };
}

async function bodyOf(request: IncomingMessage): Promise<{ body: Buffer; fault?: ReadingFault }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise, resolve } = Promise.withResolvers<ReadingFault | undefined>();
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= MAX_READ_BYTES) return;
    request.pause();
    resolve('endless');
  });
  // Who breaks off in the middle has still sent what came.
  request
    .on('end', () => resolve(undefined))
    .on('close', () => resolve('broken'))
    .on('error', () => resolve('broken'));
  const fault = await promise;
  return { body: Buffer.concat(chunks), ...(fault === undefined ? {} : { fault }) };
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    (raw[index * 2] ?? '').toLowerCase(),
    raw[index * 2 + 1] ?? '',
  ]);
}
