// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../storage/storage.ts';
import { REMEMBERED_MS } from './horizon.ts';
import { StoredHorizon } from './stored-horizon.ts';
import { type FakeTime, test } from './testing/stage.ts';

const HOUR = 60 * 60_000;
const YEAR = 365 * 24 * HOUR;

/** What a server has, on which this much more is shown than what has passed. */
const horizonOf = (storage: Storage, time: FakeTime, clock: { offset: number }) =>
  new StoredHorizon('forget', { storage, clock: () => time.now + clock.offset, now: () => time.now });

/** Where it is once all before it is deleted. */
async function move(horizon: StoredHorizon): Promise<number> {
  const { to, complete } = await horizon.nextMove();
  await complete();
  return to;
}

describe('the horizon of a database', () => {
  test('follows the time 30 days behind, over restarts of the server', async ({ storage, leases, time }) => {
    await leases.take('forget', 'due');
    let server = horizonOf(storage, time, { offset: 0 });
    expect(await move(server)).toBe(time.now - REMEMBERED_MS);
    server = horizonOf(storage, time, { offset: 0 });
    time.now += HOUR;
    expect(await move(server)).toBe(time.now - REMEMBERED_MS);
  });

  test('is moved by two hours each hour by a clock that is a year ahead, and by a restart not at all', async ({
    storage,
    leases,
    time,
  }) => {
    await leases.take('forget', 'due');
    const clock = { offset: 0 };
    const began = await move(horizonOf(storage, time, clock));
    clock.offset = YEAR;
    const server = horizonOf(storage, time, clock);
    expect(await move(server)).toBe(began);
    time.now += HOUR;
    expect(await move(server)).toBe(began + 2 * HOUR);
    time.now += HOUR;
    expect(await move(server)).toBe(began + 4 * HOUR);
    expect(await move(horizonOf(storage, time, clock))).toBe(began + 4 * HOUR);
  });

  test('begins where it did when not all was deleted', async ({ storage, leases, time }) => {
    await leases.take('forget', 'due');
    const server = horizonOf(storage, time, { offset: 0 });
    const began = await move(server);
    time.now += HOUR;
    expect(await server.nextMove()).toMatchObject({ from: began, to: began + HOUR });
    time.now += HOUR;
    const { from, to, complete } = await server.nextMove();
    expect([from, to]).toEqual([began, began + 2 * HOUR]);
    await complete();
    expect(await server.nextMove()).toMatchObject({ from: to, to });
  });

  test('spares what comes while a clock is behind', async ({ storage, leases, time }) => {
    await leases.take('forget', 'due');
    const clock = { offset: 0 };
    const server = horizonOf(storage, time, clock);
    await move(server);
    clock.offset = -YEAR;
    time.now += HOUR;
    expect(await move(server)).toBe(time.now - YEAR - REMEMBERED_MS);
  });
});
