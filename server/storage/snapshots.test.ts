import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Snapshots } from './snapshots.ts';
import { isUnavailable } from './transient-errors.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A snapshot that never ends by itself, and whether it is held. */
function endless() {
  const state = { held: false };
  async function* rows(): AsyncGenerator<number[], void, undefined> {
    state.held = true;
    try {
      for (let n = 0; ; n += 1) yield [n];
    } finally {
      state.held = false;
    }
  }
  return { state, rows: rows() };
}

it('one holder can not take all places, and waits a bounded time for the last', async () => {
  const snapshots = new Snapshots({ waitMs: 1_000 });
  const greedy = Array.from({ length: 2 }, () => snapshots.stream('greedy', endless().rows));
  for (const one of greedy) await one.next();
  const { state, rows } = endless();
  const tooMany = snapshots.stream('greedy', rows).next();
  const refused = tooMany.catch((error: unknown) => error);
  expect((await snapshots.stream('modest', endless().rows).next()).value).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isUnavailable(await refused)).toBe(true);
  expect(state.held).toBe(false);
});

it('one who comes has a place at once while two hold and ask for all they can', async () => {
  const snapshots = new Snapshots({ waitMs: 1_000 });
  for (const holder of ['greedy', 'greedier']) {
    for (let n = 0; n < 5; n += 1) {
      void snapshots
        .stream(holder, endless().rows)
        .next()
        .catch(() => {});
    }
    await vi.advanceTimersByTimeAsync(0);
  }
  const { state, rows } = endless();
  void snapshots.stream('modest', rows).next();
  await vi.advanceTimersByTimeAsync(0);
  expect(state.held).toBe(true);
});

it('a place that becomes free goes to who waits for it', async () => {
  const snapshots = new Snapshots({ waitMs: 1_000 });
  const greedy = Array.from({ length: 2 }, () => snapshots.stream('greedy', endless().rows));
  for (const one of greedy) await one.next();
  const waiting = snapshots.stream('greedy', endless().rows).next();
  await greedy[0]?.return(undefined);
  expect((await waiting).value).toEqual([0]);
});

it('a snapshot that becomes too old is freed, with its place, although its reader does nothing', async () => {
  const snapshots = new Snapshots({ waitMs: 1_000, longestMs: 60_000 });
  const old = Array.from({ length: 2 }, () => endless());
  const streams = old.map(({ rows }) => snapshots.stream('slow', rows));
  for (const one of streams) await one.next();
  await vi.advanceTimersByTimeAsync(59_999);
  expect(old.map(({ state }) => state.held)).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(1);
  expect(old.map(({ state }) => state.held)).toEqual([false, false]);
  expect((await snapshots.stream('slow', endless().rows).next()).value).toEqual([0]);
  await expect(streams[0]?.next()).rejects.toThrow('was not read within 60 seconds');
});
