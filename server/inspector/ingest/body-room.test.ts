import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BodyRoom } from './body-room.ts';

const MIB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Bodies of one MiB, whose room is given back when they are given up. */
function start() {
  const room = new BodyRoom();
  const givenUp: string[] = [];
  const inside: string[] = [];
  const leaves = new Map<string, AbortController>();
  const take = async (name: string, isArriving = () => true) => {
    const [holder = ''] = name.split(':', 1);
    const giveUp = () => {
      givenUp.push(name);
      giveBack?.();
    };
    const waits = new AbortController();
    leaves.set(name, waits);
    const giveBack = await room.take({ holder, weight: MIB, isArriving, giveUp }, waits.signal);
    if (giveBack !== undefined) inside.push(name);
  };
  const begin = async (bodies: readonly string[], isArriving?: () => boolean) => {
    for (const name of bodies) void take(name, isArriving);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { givenUp, inside, begin, leave: (name: string) => leaves.get(name)?.abort() };
}

/** `names` has each holder take this many. */
const names = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([holder, count]) =>
    Array.from({ length: count }, (_, index) => `${holder}:${index}`),
  );

/** Takes all the room: nobody more than is left. */
const ALL = names({ a: 12, b: 6, c: 3, d: 1, e: 1, f: 1 });

it('has the oldest body of whoever has most give way, after a second, to who has nothing', async () => {
  const { givenUp, inside, begin } = start();
  await begin(ALL);
  expect(inside).toEqual(ALL);
  await begin(['late:0']);
  await vi.advanceTimersByTimeAsync(999);
  expect(givenUp).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(givenUp).toEqual(['a:0']);
  expect(inside.at(-1)).toBe('late:0');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(givenUp).toEqual(['a:0']);
});

it('has one give way for each workspace that waits', async () => {
  const { givenUp, inside, begin } = start();
  const holders = Array.from({ length: 24 }, (_, index) => `holder-${index}:0`);
  await begin(holders);
  await begin(['late:0', 'later:0', 'later:1']);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(givenUp).toEqual(['holder-0:0', 'holder-1:0']);
  expect(inside.slice(24)).toEqual(['late:0', 'later:0']);
});

it('leaves alone what has arrived, and whoever waits has some room', async () => {
  const { givenUp, inside, begin } = start();
  await begin(ALL, () => false);
  await begin(['late:0']);
  await vi.advanceTimersByTimeAsync(9_000);
  expect([givenUp, inside.length]).toEqual([[], 24]);
  const other = start();
  await other.begin([...ALL, 'f:1']);
  await vi.advanceTimersByTimeAsync(9_000);
  expect([other.givenUp, other.inside.length]).toEqual([[], 24]);
});

it('ends its watch with the last that waits', async () => {
  const { begin } = start();
  await begin([...ALL, 'a:12']);
  expect(vi.getTimerCount()).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

it('forgets who has stopped waiting, for whom nobody gives way', async () => {
  const { givenUp, inside, begin, leave } = start();
  await begin(ALL);
  await begin(['late:0']);
  leave('late:0');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(givenUp).toEqual([]);
  expect(inside).toEqual(ALL);
  expect(vi.getTimerCount()).toBe(0);
});
