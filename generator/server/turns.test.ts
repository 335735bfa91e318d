import { expect, it } from 'vitest';
import { takeTurn } from '../templates/server/turns.ts';

const PIECE_MS = 30;

it('serves one caller in each turn of the event loop, in the order in which they ask', async () => {
  const order: string[] = [];
  const callers = ['a', 'b', 'c'].map(async (name) => {
    await takeTurn();
    order.push(name);
    setImmediate(() => order.push(`after ${name}`));
  });
  await Promise.all(callers);
  expect(order).toEqual(['a', 'after a', 'b', 'after b', 'c']);
});

it('leaves the thread to others after a long piece for as long as that took', async () => {
  await takeTurn();
  const ends = performance.now() + PIECE_MS;
  while (performance.now() < ends);
  const ended = performance.now();
  await takeTurn();
  // A timer may fire up to a millisecond early.
  expect(performance.now() - ended).toBeGreaterThanOrEqual(PIECE_MS - 1);
});
