import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from './iso-time.ts';

it('is what JavaScript itself writes, for every time that a Date can hold', () => {
  const anyTime = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
  const nearNow = fc.integer({ min: Date.UTC(2020), max: Date.UTC(2040) });
  fc.assert(
    fc.property(fc.oneof(anyTime, nearNow), (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
    { numRuns: 5_000 },
  );
});

it('still is after more days than are remembered', () => {
  for (let day = 0; day < 10_002; day += 1) {
    const time = day * 86_400_000;
    expect(isoTime(time)).toBe(new Date(time).toISOString());
  }
});

it('is null for what never happened', () => {
  expect(isoTime(null)).toBeNull();
});
