import { expect, it } from 'vitest';
import { median, quantile } from './statistics.ts';

it('takes the value at the nearest rank, whatever the order', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantile(values, 0.5)).toBe(50);
  expect(quantile(values, 0.99)).toBe(99);
  expect(quantile(values, 1)).toBe(100);
  expect(quantile(values, 0)).toBe(1);
});

it('sorts by number, not by text', () => {
  expect(median([10, 9, 100])).toBe(10);
});

it('has no value where there are none', () => {
  expect(median([])).toBeNaN();
});
