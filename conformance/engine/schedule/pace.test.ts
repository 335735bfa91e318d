import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPace } from './pace.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** When each of so many requests, all asked for at once, may go out. */
async function findStarts(perSecond: number | undefined, lanes: string[]): Promise<number[]> {
  const pace = createPace(perSecond, Date.now);
  const starts = lanes.map((lane) => pace(lane).then(() => Date.now()));
  await vi.advanceTimersByTimeAsync(60_000);
  return Promise.all(starts);
}

it('lets not quite one request a second of a lane go out', async () => {
  expect(await findStarts(1, ['a', 'a', 'a'])).toEqual([0, 1_020, 2_040]);
});

it('does not let one lane wait for another', async () => {
  expect(await findStarts(4, ['a', 'b', 'a', 'b'])).toEqual([0, 0, 255, 255]);
});

it('lets nobody wait without a rate', async () => {
  expect(await findStarts(undefined, ['a', 'a', 'a'])).toEqual([0, 0, 0]);
});
