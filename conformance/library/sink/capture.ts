import type { IncomingMessage } from 'node:http';
import { pairHeaders } from '../../engine/http/headers.ts';
import { type CapturedRequest, parseBatch, MAX_READ_BYTES, type ReadingFault, readText } from './captured-request.ts';

/** What is known of a request before it is read. */
export type Origin = Pick<CapturedRequest, 'at' | 'wall' | 'where' | 'connection'>;

/** Reads a request to its end, up to the longest body that is checked. */
export async function capture(request: IncomingMessage, origin: Origin): Promise<CapturedRequest> {
  const { body, fault } = await readBody(request);
  const { method = '', url = '', rawHeaders } = request;
  const read = readText(body);
  const problem = fault ?? read.fault;
  return {
    ...origin,
    method,
    url,
    headers: pairHeaders(rawHeaders),
    body,
    text: read.text,
    batch: parseBatch(read.text),
    answer: undefined,
    ...(problem === undefined ? {} : { fault: problem }),
  };
}

/** What came over a connection and is no request. */
export function captureGarbage(bytes: Buffer, origin: Origin): CapturedRequest {
  const body = bytes.subarray(0, MAX_READ_BYTES);
  const none = { method: '(no HTTP)', url: '', headers: [], batch: undefined, answer: undefined };
  return { ...origin, ...none, body, text: body.toString('utf8'), fault: 'garbage' };
}

async function readBody(request: IncomingMessage): Promise<{ body: Buffer; fault?: ReadingFault }> {
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
  // What came before a break counts as sent.
  request
    .on('end', () => resolve(undefined))
    .on('close', () => resolve('broken'))
    .on('error', () => resolve('broken'));
  const fault = await promise;
  return { body: Buffer.concat(chunks), ...(fault === undefined ? {} : { fault }) };
}
