import { expect, it } from 'vitest';
import { ConnectionRates } from './connection-rates.ts';

function countAll(rates: ConnectionRates, counts: Record<string, number>, now: number): void {
  for (const [network, count] of Object.entries(counts))
    for (let one = 0; one < count; one += 1) rates.count(network, now);
}

it('are above average where more come than of others, and more than a few', () => {
  const rates = new ConnectionRates();
  countAll(rates, { many: 400, few: 17, fewer: 16 }, 0);
  expect(rates.total).toBe(433);
  expect(['many', 'few', 'fewer', 'none'].filter((network) => rates.isAboveAverage(network))).toEqual(['many']);
});

it('are above average also where there are no others', () => {
  const rates = new ConnectionRates();
  countAll(rates, { one: 17 }, 0);
  expect(rates.isAboveAverage('one')).toBe(true);
});

it('are of nobody above average where thousands come once each', () => {
  const rates = new ConnectionRates();
  for (let network = 0; network < 3_000; network += 1) rates.count(`network ${network}`, 0);
  expect(rates.isAboveAverage('network 7')).toBe(false);
});

it('are forgotten after a second or two', () => {
  const rates = new ConnectionRates();
  countAll(rates, { one: 100 }, 0);
  countAll(rates, { other: 1 }, 1_000);
  expect(rates.isAboveAverage('one')).toBe(true);
  countAll(rates, { other: 1 }, 2_000);
  expect(rates.isAboveAverage('one')).toBe(false);
  expect(rates.total).toBe(2);
  countAll(rates, { other: 1 }, 9_000);
  expect(rates.total).toBe(1);
});
