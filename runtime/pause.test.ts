import { expect, it } from 'vitest';
import { pauseAfter } from './pause.ts';

it('a turn comes before the piece with which it would be too much, and before each that is too large by itself', async () => {
  const log: (number | 'turn')[] = [];
  const pause = pauseAfter(10, async () => void log.push('turn'));
  for (const size of [4, 6, 1, 9, 11, 30, 0, 2]) {
    await pause(size);
    log.push(size);
  }
  expect(log).toEqual([4, 6, 'turn', 1, 9, 'turn', 11, 'turn', 30, 'turn', 0, 2]);
});
