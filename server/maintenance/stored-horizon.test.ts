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

describe('the horizon of a database', () => {
  test('follows the time 30 days behind, over restarts of the server', async ({ storage, leases, time }) => {
    await leases.take('forget', 'due');
    let server = horizonOf(storage, time, { offset: 0 });
    expect(await server.move()).toBe(time.now - REMEMBERED_MS);
    server = horizonOf(storage, time, { offset: 0 });
    time.now += HOUR;
    expect(await server.move()).toBe(time.now - REMEMBERED_MS);
  });

  test('is moved by two hours each hour by a clock that is a year ahead, and by a restart not at all', async ({
    storage,
    leases,
    time,
  }) => {
    await leases.take('forget', 'due');
    const clock = { offset: 0 };
    const began = await horizonOf(storage, time, clock).move();
    clock.offset = YEAR;
    const server = horizonOf(storage, time, clock);
    expect(await server.move()).toBe(began);
    time.now += HOUR;
    expect(await server.move()).toBe(began + 2 * HOUR);
    time.now += HOUR;
    expect(await server.move()).toBe(began + 4 * HOUR);
    expect(await horizonOf(storage, time, clock).move()).toBe(began + 4 * HOUR);
  });

  test('spares what comes while a clock is behind', async ({ storage, leases, time }) => {
    await leases.take('forget', 'due');
    const clock = { offset: 0 };
    const server = horizonOf(storage, time, clock);
    await server.move();
    clock.offset = -YEAR;
    time.now += HOUR;
    expect(await server.move()).toBe(time.now - YEAR - REMEMBERED_MS);
  });
});
