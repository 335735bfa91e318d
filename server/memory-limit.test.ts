import { expect, it } from 'vitest';
import { boundInMemory, fitMemory, memoryLimit } from './memory-limit.ts';

const MEBIBYTE = 1_024 ** 2;

it.each([
  ['as many connections as are wanted, where nothing limits memory', 10_000, Infinity, 10_000],
  ['as many as are wanted, where a sixth of it is enough', 10_000, 6_144 * MEBIBYTE, 10_000],
  ['fewer, where they would take more than a sixth of it', 10_000, 768 * MEBIBYTE, 1_638],
  ['no more than are wanted', 100, 768 * MEBIBYTE, 100],
])('there are %s', (_what, wanted, limit, connections) => {
  expect(fitMemory(wanted, limit)).toBe(connections);
});

it.each([
  ['what is wanted, where nothing limits memory', Infinity, 128],
  ['what is wanted, where its share is enough', 4_096, 128],
  ['its share of a memory that is limited', 768, 48],
])('what waits takes %s', (_what, limit, bound) => {
  expect(boundInMemory(128 * MEBIBYTE, 1 / 16, limit * MEBIBYTE)).toBe(bound * MEBIBYTE);
});

it('the system says how much memory a process may have', () => {
  expect(memoryLimit()).toBeGreaterThan(MEBIBYTE);
});
