import { expect, it } from 'vitest';
import { ConnectionRates } from './connection-rates.ts';

function countAll(rates: ConnectionRates, counts: Record<string, number>, now: number): void {
  for (const [network, count] of Object.entries(counts))
    for (let one = 0; one < count; one += 1) rates.count(network, now);
}

it('are much where more come than of others, and more than a few', () => {
  const rates = new ConnectionRates();
  countAll(rates, { many: 400, few: 17, fewer: 16 }, 0);
  expect(rates.total).toBe(433);
  expect(['many', 'few', 'fewer', 'none'].filter((network) => rates.isMuchOf(network))).toEqual(['many']);
});

it('are much also where there are no others', () => {
  const rates = new ConnectionRates();
  countAll(rates, { one: 17 }, 0);
  expect(rates.isMuchOf('one')).toBe(true);
});

it('are of nobody much where thousands come once each, and one sixty times', () => {
  const rates = new ConnectionRates();
  for (let network = 0; network < 3_000; network += 1) rates.count(`network ${network}`, 0);
  countAll(rates, { often: 60 }, 0);
  expect(rates.isMuchOf('network 7')).toBe(false);
  expect(rates.isMuchOf('often')).toBe(false);
  countAll(rates, { often: 3 }, 0);
  expect(rates.isMuchOf('often')).toBe(true);
});

it('are forgotten after a second or two', () => {
  const rates = new ConnectionRates();
  countAll(rates, { one: 100 }, 0);
  countAll(rates, { other: 1 }, 1_000);
  expect(rates.isMuchOf('one')).toBe(true);
  countAll(rates, { other: 1 }, 2_000);
  expect(rates.isMuchOf('one')).toBe(false);
  expect(rates.total).toBe(2);
  countAll(rates, { other: 1 }, 9_000);
  expect(rates.total).toBe(1);
});
