import fc from 'fast-check';
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

it('serves next whoever did not come for a round, however many wait', () => {
  const queue = new FairQueue<string>();
  const crowd = Array.from({ length: 100 }, (_, number) => `crowd ${number}`);
  for (const one of crowd) queue.push([one], one);
  // Each comes back as soon as it was served.
  const serve = () => {
    const one = queue.shift() ?? '';
    if (one.startsWith('crowd')) queue.push([one], one);
    return one;
  };
  for (let served = 0; served < 2 * crowd.length; served += 1) serve();
  const waits = Array.from({ length: 10 }, () => {
    queue.push(['rare'], 'rare');
    return Array.from({ length: 200 }, serve).indexOf('rare');
  });
  expect(waits).toEqual(Array.from({ length: 10 }, () => 0));
  // One that comes back at once takes its turn with them.
  queue.push(['rare'], 'rare');
  serve();
  queue.push(['rare'], 'rare');
  expect(Array.from({ length: 200 }, serve).indexOf('rare')).toBe(100);
});

it('serves those who wait beside ever new ones', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push(['a'], item);
  for (let one = 0; one < 1_000; one += 1) queue.push([`new ${one}`], 'new');
  const order = Array.from({ length: 100 }, () => queue.shift());
  expect(order.filter((item) => item !== 'new')).toEqual(['a1', 'a2', 'a3']);
});

it('keeps as many items as were pushed and not shifted or removed, and each share in order', () => {
  const action = fc.record({
    share: fc.constantFrom('a', 'b', 'c', 'd'),
    what: fc.constantFrom('push', 'shift', 'remove'),
  });
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const queue = new FairQueue<number>();
      const left = new Map<string, number[]>();
      for (const [number, { share, what }] of actions.entries()) {
        const own = left.get(share) ?? [];
        left.set(share, own);
        if (what === 'push') {
          queue.push([share], number);
          own.push(number);
        } else if (what === 'remove') {
          expect(queue.remove([share], own.at(-1) ?? -1)).toBe(own.length > 0);
          own.pop();
        } else {
          const next = queue.peek();
          expect(queue.shift()).toBe(next);
          const of = [...left.values()].find((items) => next !== undefined && items[0] === next);
          expect(of?.shift()).toBe(next);
        }
        expect(queue.isEmpty).toBe([...left.values()].every((items) => items.length === 0));
      }
    }),
  );
});
