import type { Outgoing } from './client.ts';

/** Pairs of the names and values that Node gives one after the other. */
export function pairHeaders(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index): [string, string] => [
    (raw[index * 2] ?? '').toLowerCase(),
    raw[index * 2 + 1] ?? '',
  ]);
}

/** What a request says of the length of its body; a GET without one says nothing, nor does one with a transfer coding. */
export function lengthHeader({ method, headers, body }: Outgoing): [string, string][] {
  if (headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')) return [];
  if (body === undefined && method === 'GET') return [];
  return [['content-length', String(body === undefined ? 0 : Buffer.byteLength(body))]];
}
