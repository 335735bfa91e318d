import { expect, it } from 'vitest';
import { ConnectionRates, LITTLE } from './connection-rates.ts';

const MUCH = LITTLE.count + 1;

function countAll(rates: ConnectionRates, counts: Record<string, number>, now: number): void {
  for (const [network, count] of Object.entries(counts))
    for (let one = 0; one < count; one += 1) rates.count(network, now);
}

it('are much where more come than of others, and more than a large client opens at once', () => {
  const rates = new ConnectionRates();
  countAll(rates, { many: 2 * MUCH, some: LITTLE.count }, 0);
  expect(rates.total).toBe(3 * MUCH - 1);
  expect(['many', 'some', 'none'].filter((network) => rates.isMuchOf(network))).toEqual(['many']);
  countAll(rates, { most: 9 * MUCH }, 0);
  expect(['most', 'many'].filter((network) => rates.isMuchOf(network))).toEqual(['most']);
});

it('are much also where there are no others', () => {
  const rates = new ConnectionRates();
  countAll(rates, { one: MUCH }, 0);
  expect(rates.isMuchOf('one')).toBe(true);
});

it('are not much where they are a small part of all', () => {
  const rates = new ConnectionRates();
  for (let network = 0; network < 100_000; network += 1) rates.count(`network ${network}`, 0);
  countAll(rates, { often: MUCH }, 0);
  expect(rates.isMuchOf('network 7')).toBe(false);
  expect(rates.isMuchOf('often')).toBe(false);
  countAll(rates, { often: MUCH }, 0);
  expect(rates.isMuchOf('often')).toBe(true);
});

it('are forgotten after a second or two', () => {
  const rates = new ConnectionRates();
  countAll(rates, { one: MUCH }, 0);
  countAll(rates, { other: 1 }, 1_000);
  expect(rates.isMuchOf('one')).toBe(true);
  countAll(rates, { other: 1 }, 2_000);
  expect(rates.isMuchOf('one')).toBe(false);
  expect(rates.total).toBe(2);
  countAll(rates, { other: 1 }, 9_000);
  expect(rates.total).toBe(1);
});
