import { expect, it } from 'vitest';
import { StepRows } from './step-rows.ts';

/** How many rows are deleted at a time after so many steps, where each row takes so long, and how long the longest step took. */
function takeSteps(steps: number, rowMs: number) {
  const rows = new StepRows();
  let longest = 0;
  for (let step = 0; step < steps; step += 1) {
    const took = rows.count * rowMs;
    longest = Math.max(longest, took);
    rows.learnFrom(took);
  }
  return { count: rows.count, longest };
}

it.each([
  [0.001, 1_000],
  [0.1, 160],
  [0.5, 20],
  [4, 10],
])('rows of %s ms each are deleted %i at a time, and no step takes much longer than wanted', (rowMs, count) => {
  const found = takeSteps(20, rowMs);
  expect(found.count).toBe(count);
  expect(found.longest).toBeLessThanOrEqual(Math.max(20, 10 * rowMs));
});
