import type { Answer } from './client.ts';

/** What `Retry-After` asks for, in milliseconds; it may be a number of seconds or a date (RFC 9110, 10.2.3). */
export function parseRetryAfter(answer: Answer | undefined, now: number): number | undefined {
  const text = answer?.headers.find(([name]) => name === 'retry-after')?.[1].trim();
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
