import { expect, it } from 'vitest';
import { fitMemory, memoryLimit } from './memory-limit.ts';

const MEBIBYTE = 1_024 ** 2;

it.each([
  ['as many connections as are wanted, where nothing limits memory', 10_000, Infinity, 10_000],
  ['as many as are wanted, where half of it is enough', 10_000, 2_048 * MEBIBYTE, 10_000],
  ['fewer, where they would take more than half of it', 10_000, 768 * MEBIBYTE, 4_915],
  ['no more than are wanted', 100, 768 * MEBIBYTE, 100],
])('there are %s', (_what, wanted, limit, connections) => {
  expect(fitMemory(wanted, limit)).toBe(connections);
});

it('the system says how much memory a process may have', () => {
  expect(memoryLimit()).toBeGreaterThan(MEBIBYTE);
});
