import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tellIfLong } from './tell-if-long.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('tells once of work that takes a second, and not of what ends before', async () => {
  const tell = vi.fn();
  const work = Promise.withResolvers<string>();
  const done = tellIfLong(tell, () => work.promise);
  vi.advanceTimersByTime(999);
  expect(tell).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(tell).toHaveBeenCalledOnce();
  work.resolve('done');
  expect(await done).toBe('done');
  await expect(tellIfLong(tell, () => Promise.reject(new Error('It failed.')))).rejects.toThrow('It failed.');
  vi.advanceTimersByTime(60_000);
  expect(tell).toHaveBeenCalledOnce();
});
