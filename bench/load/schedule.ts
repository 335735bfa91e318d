import { setTimeout as delay } from 'node:timers/promises';

/** When a request of a steady pace is due, in milliseconds after the first. */
export function dueAt(index: number, perSecond: number): number {
  return (index * 1_000) / perSecond;
}

/** Waits for a time of `performance.now()`, which may be past, unless it is stopped. */
export async function waitUntil(time: number, stopped: AbortSignal): Promise<void> {
  const left = time - performance.now();
  if (left > 0) await delay(left, undefined, { signal: stopped }).catch(() => {});
}
