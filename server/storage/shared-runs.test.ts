import { expect, it } from 'vitest';
import { SharedRuns } from './shared-runs.ts';
import type { Storage } from './storage.ts';

/** Only told apart. */
const someStorage = (): Storage => ({}) as Storage;

/** Runs that end when they are told to, each with its number. */
function numberedRuns() {
  const begun: PromiseWithResolvers<number>[] = [];
  const work = (): Promise<number> => {
    const run = Promise.withResolvers<number>();
    begun.push(run);
    return run.promise;
  };
  const end = async (number: number): Promise<void> => {
    begun[number - 1]?.resolve(number);
    await new Promise(setImmediate);
  };
  return { begun, work, end };
}

it('has all who ask while one runs wait for one further run, which begins after it', async () => {
  const runs = new SharedRuns<number>();
  const storage = someStorage();
  const { begun, work, end } = numberedRuns();
  const first = runs.run(storage, 'shop', work);
  const later = [1, 2, 3].map(() => runs.run(storage, 'shop', work));
  expect(begun).toHaveLength(1);
  await end(1);
  expect(await first).toBe(1);
  expect(begun).toHaveLength(2);
  // Too late for the second: it may have looked already.
  const last = runs.run(storage, 'shop', work);
  await end(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  await end(3);
  expect(await last).toBe(3);
  expect(begun).toHaveLength(3);
});

it('runs at once for another workspace or database, and after one has ended', async () => {
  const runs = new SharedRuns<number>();
  const storage = someStorage();
  const { begun, work, end } = numberedRuns();
  const asked = [
    runs.run(storage, 'shop', work),
    runs.run(storage, 'other', work),
    runs.run(someStorage(), 'shop', work),
  ];
  expect(begun).toHaveLength(3);
  for (const number of [1, 2, 3]) await end(number);
  expect(await Promise.all(asked)).toEqual([1, 2, 3]);
  const again = runs.run(storage, 'shop', work);
  expect(begun).toHaveLength(4);
  await end(4);
  expect(await again).toBe(4);
});

it('goes on after a run that failed', async () => {
  const runs = new SharedRuns<number>();
  const storage = someStorage();
  const failed = runs.run(storage, 'shop', () => Promise.reject(new Error('No connection.')));
  const next = runs.run(storage, 'shop', () => Promise.resolve(2));
  await expect(failed).rejects.toThrow('No connection.');
  expect(await next).toBe(2);
});
