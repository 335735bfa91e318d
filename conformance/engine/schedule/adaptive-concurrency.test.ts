import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AdaptiveConcurrency } from './adaptive-concurrency.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Sends so many requests through to a service, and answers how many were under way at most, at first and at last. */
async function mostUnderWay(
  requests: number,
  millisecondsWith: (underWay: number) => number,
): Promise<{ first: number; last: number }> {
  const concurrency = new AdaptiveConcurrency(2_500);
  const underWay: number[] = [];
  let now = 0;
  const exchange = async (): Promise<void> => {
    underWay.push((now += 1));
    await new Promise((resolve) => setTimeout(resolve, millisecondsWith(now)));
    now -= 1;
  };
  await passTimeUntil(concurrency.run(exchange));
  await passTimeUntil(Promise.all(Array.from({ length: requests }, () => concurrency.run(exchange))));
  return { first: Math.max(...underWay.slice(0, 20)), last: Math.max(...underWay.slice(-20)) };
}

/** Passes no more time than that: timers that others left in this process may go on for ever. */
async function passTimeUntil(work: Promise<unknown>): Promise<void> {
  const end = new AbortController();
  const done = work.finally(() => end.abort());
  while (!end.signal.aborted) await vi.advanceTimersToNextTimerAsync();
  await done;
}

it('lets eight exchanges be under way at once', async () => {
  expect(await mostUnderWay(100, () => 10)).toEqual({ first: 8, last: 8 });
});

it('lets fewer be under way where they wait for each other', async () => {
  expect(await mostUnderWay(100, (underWay) => 1_000 * underWay)).toEqual({ first: 8, last: 2 });
});

it('does not take a service that is always slow for one that is overrun', async () => {
  expect(await mostUnderWay(100, () => 9_000)).toEqual({ first: 8, last: 8 });
});
