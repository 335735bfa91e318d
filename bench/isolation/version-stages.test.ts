import { expect, it } from 'vitest';
import { stagesUpTo } from './version-stages.ts';

it('sends every version once, and measures the fifty before each milestone', () => {
  expect(stagesUpTo([50, 200, 500])).toEqual([
    { from: 1, to: 50, milestone: 50 },
    { from: 51, to: 150 },
    { from: 151, to: 200, milestone: 200 },
    { from: 201, to: 450 },
    { from: 451, to: 500, milestone: 500 },
  ]);
});

it('measures fewer where milestones lie closer together', () => {
  expect(stagesUpTo([25, 50])).toEqual([
    { from: 1, to: 25, milestone: 25 },
    { from: 26, to: 50, milestone: 50 },
  ]);
});
