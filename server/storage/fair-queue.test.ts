import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Items are named by holder, part and number: `aX1`. */
function orderOf(names: readonly string[]): string[] {
  const queue = new FairQueue<string>();
  for (const name of names) queue.push([name.slice(0, 1), name.slice(1, 2)], name);
  const order: string[] = [];
  while (!queue.isEmpty) order.push(queue.shift() ?? '');
  expect(queue.shift()).toBeUndefined();
  return order;
}

it('has holders take turns, however many wait of one', () => {
  expect(orderOf(['aX1', 'aX2', 'aX3', 'bX1', 'bX2', 'cX1'])).toEqual(['aX1', 'bX1', 'cX1', 'aX2', 'bX2', 'aX3']);
});

it('has the parts of a holder take turns among themselves, however many parts it has', () => {
  expect(orderOf(['aX1', 'aX2', 'aY1', 'aZ1', 'bX1', 'bX2'])).toEqual(['aX1', 'bX1', 'aY1', 'bX2', 'aZ1', 'aX2']);
});

it('serves whoever comes back after all who wait', () => {
  const queue = new FairQueue<string>();
  queue.push(['a'], 'a1');
  queue.push(['b'], 'b1');
  queue.push(['b'], 'b2');
  expect(queue.shift()).toBe('a1');
  queue.push(['a'], 'a2');
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['b1', 'a2', 'b2']);
});

it('has shares of every depth take turns, and forgets what is removed', () => {
  const queue = new FairQueue<string>();
  const path = (name: string) => [...name].slice(0, -1);
  for (const name of ['abc1', 'abc2', 'abd1', 'ae1', 'f1']) queue.push(path(name), name);
  queue.remove(path('abd1'), 'abd1');
  queue.remove(path('nobody1'), 'nobody1');
  expect(queue.peek()).toBe('abc1');
  const left = Array.from({ length: 5 }, () => queue.shift());
  expect(left).toEqual(['abc1', 'f1', 'ae1', 'abc2', undefined]);
  expect(queue.isEmpty).toBe(true);
});
