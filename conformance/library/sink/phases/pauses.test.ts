import { describe, expect, it } from 'vitest';
import { pausesProblem } from './pauses.ts';

describe('the pauses between tries', () => {
  it.each([
    ['that double', [1, 2, 4, 8, 16]],
    ['that double, with chance in them', [0.5, 1.9, 2.1, 7.8, 8.3]],
    ['whose first is nearly none by chance', [0.01, 1.2, 3.9, 0.4, 9]],
    ['that grow to the bound', [60, 120, 240, 300, 300]],
  ])('may be such %s', (_, pauses) => {
    expect(pausesProblem(pauses, 5)).toBeUndefined();
  });

  it.each([
    ['that stay the same', [1, 1, 1, 1, 1], 'The pauses after a 503 do not grow.'],
    ['that vary and do not grow', [1, 1.3, 0.8, 1.2, 1.4], 'The pauses after a 503 do not grow.'],
    ['that shrink', [16, 8, 4, 2, 1], 'The pauses after a 503 do not grow.'],
    ['that are none', [0.001, 0.004, 0.002, 0.009, 0.01], 'There were no pauses after a 503 to speak of.'],
    ['that pass the bound', [1, 2, 4, 400], 'A pause after a 503 was longer than 300 s.'],
  ])('may not be such %s', (_, pauses, problem) => {
    expect(pausesProblem(pauses, 5)).toBe(problem);
  });
});
