// @module-tag both-engines
import { describe, expect } from 'vitest';
import { FakeTime, openLeases, test } from './testing/stage.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a task', () => {
  test('is taken by one of many that ask at once', async ({ storage, time }) => {
    const asking = Array.from({ length: 20 }, () => openLeases(storage, time).take('tidy', 'due'));
    expect((await Promise.all(asking)).filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  test('that is done is due again in an hour, and may be taken before by who insists', async ({ leases, time }) => {
    await (await leases.take('tidy', 'due'))?.giveBack('inAnHour');
    time.now += HOUR - 1;
    expect(await leases.take('tidy', 'due')).toBeUndefined();
    await (await leases.take('tidy', 'now'))?.giveBack('atOnce');
    time.now += 1;
    expect(await leases.take('tidy', 'due')).toBeDefined();
  });

  test('that was given back undone is due at once', async ({ leases }) => {
    await (await leases.take('tidy', 'due'))?.giveBack('atOnce');
    expect(await leases.take('tidy', 'due')).toBeDefined();
  });

  test('keeps no other from being taken', async ({ leases }) => {
    expect(await leases.take('tidy', 'due')).toBeDefined();
    expect(await leases.take('sweep', 'due')).toBeDefined();
  });

  test('of one who says nothing any more is free after a minute, and lost to him', async ({ leases, time }) => {
    const dead = await leases.take('tidy', 'due');
    time.now += MINUTE - 1;
    expect(await leases.take('tidy', 'now')).toBeUndefined();
    time.now += 1;
    const heir = await leases.take('tidy', 'due');
    expect(heir).toBeDefined();
    expect(await dead?.hold()).toBe(false);
    await dead?.giveBack('inAnHour');
    expect(await leases.take('tidy', 'now')).toBeUndefined();
    expect(await heir?.hold()).toBe(true);
  });

  test('stays with one who goes on, however long', async ({ leases, time }) => {
    const lease = await leases.take('tidy', 'due');
    for (let step = 0; step < 100; step += 1) {
      time.now += 20_000;
      expect(await lease?.hold()).toBe(true);
      expect(await leases.take('tidy', 'now')).toBeUndefined();
    }
  });

  test('is not blocked by times that a clock has set which was years ahead', async ({ storage, leases }) => {
    const ahead = new FakeTime();
    ahead.now += 5 * 365 * 24 * HOUR;
    await openLeases(storage, ahead).take('held', 'due');
    await (await openLeases(storage, ahead).take('done', 'due'))?.giveBack('inAnHour');
    expect(await leases.take('held', 'due')).toBeDefined();
    expect(await leases.take('done', 'due')).toBeDefined();
  });
});
