import { expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

it.each([
  ['3', 3_000],
  ['0', 0],
  [new Date(NOW + 5_000).toUTCString(), 5_000],
  [new Date(NOW - 5_000).toUTCString(), 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After: %s', (value, ms) => {
  const headers: [string, string][] = value === undefined ? [] : [['retry-after', value]];
  const answer = { status: 429, httpVersion: '1.1', headers, body: Buffer.alloc(0), milliseconds: 1 };
  expect(parseRetryAfter(answer, NOW)).toBe(ms);
});
