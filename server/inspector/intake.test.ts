import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotTaken } from '../storage/group-commit.ts';
import { Intake } from './intake.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function start(capacity = 10, mostWaiting = 100) {
  const timers: (() => void)[] = [];
  const intake = new Intake({ capacity, mostWaiting, waitMs: 1_000, timer: (callback) => timers.push(callback) });
  const entered: string[] = [];
  const leave: Record<string, () => void> = {};
  const enter = async (name: string, weight = 1) => {
    leave[name] = await intake.enter(name.split(':', 1)[0] ?? '', weight);
    entered.push(name);
  };
  return { enter, entered, leave, timeOut: () => timers.splice(0).forEach((ring) => ring()) };
}

test('what there is room for enters at once; the rest waits until somebody leaves', async () => {
  const { enter, entered, leave } = start(3);
  void enter('shop:1');
  void enter('shop:2');
  void enter('shop:3');
  await settled();
  expect(entered).toEqual(['shop:1', 'shop:2']);
  leave['shop:1']?.();
  await settled();
  expect(entered).toEqual(['shop:1', 'shop:2', 'shop:3']);
});

test('who has nothing under way enters where another has taken all it may', async () => {
  const { enter, entered } = start(10);
  for (let count = 0; count < 20; count += 1) void enter(`loud:${count}`);
  void enter('quiet:1');
  await settled();
  expect(entered.filter((name) => name.startsWith('loud'))).toHaveLength(9);
  expect(entered).toContain('quiet:1');
});

test('those who wait take turns', async () => {
  const { enter, entered, leave } = start(2);
  void enter('loud:0');
  void enter('other:0');
  for (const name of ['loud:1', 'loud:2', 'quiet:1']) void enter(name);
  await settled();
  leave['loud:0']?.();
  await settled();
  leave['loud:1']?.();
  await settled();
  expect(entered.slice(2)).toEqual(['loud:1', 'quiet:1']);
});

test('who waits too long is told to come again, and takes nobody else a place', async () => {
  const { enter, entered, leave, timeOut } = start(2);
  void enter('shop:1');
  const late = enter('shop:2');
  await settled();
  timeOut();
  await expect(late).rejects.toThrow(NotTaken);
  const next = enter('shop:3');
  leave['shop:1']?.();
  await next;
  expect(entered).toEqual(['shop:1', 'shop:3']);
});

test('past the bound on those who wait one is told so at once', async () => {
  const { enter } = start(2, 2);
  void enter('shop:1');
  void enter('shop:2');
  await expect(enter('shop:3')).rejects.toThrow(NotTaken);
});

test('everybody enters in the end, whoever leaves in whatever order, and never too much is under way', async () => {
  const request = fc.record({ holder: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (requests, choices) => {
      const intake = new Intake({ capacity: 20, mostWaiting: 1_000, waitMs: 1, timer: () => {} });
      const inside: { weight: number; leave: () => void }[] = [];
      let entered = 0;
      for (const { holder, weight } of requests) {
        void intake.enter(holder, weight).then((leave) => {
          entered += 1;
          inside.push({ weight, leave });
        });
      }
      await settled();
      while (inside.length > 0) {
        expect(inside.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(20);
        const [gone] = inside.splice((choices.next().value ?? 0) % inside.length, 1);
        gone?.leave();
        await settled();
      }
      expect(entered).toBe(requests.length);
    }),
  );
});
