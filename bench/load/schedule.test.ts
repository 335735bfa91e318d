import { expect, it } from 'vitest';
import { dueAt, waitUntil } from './schedule.ts';

it('spreads requests evenly, the first at once', () => {
  expect([0, 1, 2, 50].map((index) => dueAt(index, 50))).toEqual([0, 20, 40, 1_000]);
});

it('does not wait for what was due before, nor once it is stopped', async () => {
  const never = new AbortController().signal;
  await waitUntil(performance.now() - 1, never);
  await waitUntil(performance.now() + 3_600_000, AbortSignal.abort());
});
