import { expect, it } from 'vitest';
import { SpacedRuns } from './spaced-runs.ts';

/** Numbered runs, 100 ms apart, of a clock that stands until it is moved. */
function numberedRuns() {
  let now = 0;
  let begun = 0;
  const delays: { until: number; end: () => void }[] = [];
  const runs = new SpacedRuns({
    work: () => Promise.resolve((begun += 1)),
    spacingMs: 100,
    now: () => now,
    delay: (milliseconds) => new Promise<void>((end) => delays.push({ until: now + milliseconds, end })),
  });
  const move = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    for (const { until, end } of delays) if (until <= now) end();
    await new Promise(setImmediate);
  };
  return { runs, move, begun: () => begun };
}

it('runs at once where none has begun for a while', async () => {
  const { runs, move } = numberedRuns();
  expect(await runs.run()).toBe(1);
  await move(100);
  expect(await runs.run()).toBe(2);
});

it('has all who ask soon after one began share the next, which begins later', async () => {
  const { runs, move, begun } = numberedRuns();
  await runs.run();
  const asked = [runs.run()];
  await move(99);
  asked.push(runs.run());
  expect(begun()).toBe(1);
  await move(1);
  expect(await Promise.all(asked)).toEqual([2, 2]);
  // The second has begun, and may have looked already.
  const later = runs.run();
  await move(100);
  expect(await later).toBe(3);
});
