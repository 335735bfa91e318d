import { expect, it } from 'vitest';
import { LongRest, takeSteps } from './steps.ts';

/** How long the work rests after steps that take so long, in milliseconds. */
async function restsAfter(took: readonly number[], gives?: LongRest): Promise<number[]> {
  let now = 0;
  const rests: number[] = [];
  const pace = { now: () => now, pause: async (milliseconds: number) => void rests.push(milliseconds) };
  async function* steps() {
    for (const milliseconds of took) {
      now += milliseconds;
      yield gives;
    }
  }
  expect(await takeSteps(steps(), { pace, signal: new AbortController().signal })).toBe(true);
  return rests;
}

it('work in steps rests after each as long as that took', async () => {
  expect(await restsAfter([5, 30_000])).toEqual([5, 30_000]);
});

it('rests for a minute at most, however long the process stood still in a step', async () => {
  expect(await restsAfter([3_600_000])).toEqual([60_000]);
});

it('rests as long as a step says', async () => {
  expect(await restsAfter([5], new LongRest(3_600_000))).toEqual([3_600_000]);
});
