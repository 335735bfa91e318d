// @module-tag both-engines
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { Leases } from './lease.ts';
import { schedule } from './schedule.ts';
import type { Pause } from './steps.ts';
import { type MaintenanceTask, runTask } from './task.ts';
import { FakeTime, openLeases, test } from './testing/stage.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A task of steps that take a second each. */
function slowTask(time: FakeTime, steps: number, onStep: () => void = () => {}): MaintenanceTask {
  return {
    name: 'slow',
    async *steps() {
      for (let step = 0; step < steps; step += 1) {
        onStep();
        time.now += 1_000;
        yield;
      }
    },
  };
}

/** A task of one step. */
function shortTask(name: string, work: () => void): MaintenanceTask {
  return {
    name,
    async *steps() {
      yield work();
    },
  };
}

const signal = new AbortController().signal;

describe('a task', () => {
  test('rests after each step as long as it took', async ({ leases, time }) => {
    await runTask(slowTask(time, 4), { leases, pace: time.pace, signal, when: 'due' });
    expect(time.pauses).toEqual([1_000, 1_000, 1_000, 1_000]);
  });

  test('is not run by a second server while the first runs it, however long that takes', async ({ storage, time }) => {
    const other = openLeases(storage, time);
    const outcomes: string[] = [];
    const nothing = shortTask('slow', () => {});
    const long: MaintenanceTask = {
      name: 'slow',
      async *steps() {
        for (let step = 0; step < 50; step += 1) {
          time.now += 9_000;
          outcomes.push(await runTask(nothing, { leases: other, pace: time.pace, signal, when: 'now' }));
          yield;
        }
      },
    };
    expect(await runTask(long, { leases: openLeases(storage, time), pace: time.pace, signal, when: 'due' })).toBe(
      'done',
    );
    expect(outcomes).toEqual(Array.from({ length: 50 }, () => 'refused'));
  });

  test('ends with the step in which a server that stood still has lost it', async ({ leases, storage, time }) => {
    let steps = 0;
    const task = slowTask(time, 10, () => {
      steps += 1;
      if (steps === 3) time.now += HOUR;
    });
    const run = () => runTask(task, { leases, pace: time.pace, signal, when: 'due' });
    expect(await run()).toBe('stopped');
    expect(steps).toBe(3);
    expect(await openLeases(storage, time).take('slow', 'due')).toBeDefined();
  });
});

/** Runs a schedule until so much time has passed, in turns of the event loop. */
async function runFor(milliseconds: number, time: FakeTime, leases: Leases, tasks: readonly MaintenanceTask[]) {
  const failures: string[] = [];
  const end = time.now + milliseconds;
  const over = Promise.withResolvers<void>();
  const pause: Pause = async (length, stopping) => {
    await time.pace.pause(length, stopping);
    await nextTurn();
    if (time.now < end) return;
    over.resolve();
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
  };
  const stop = schedule({
    tasks,
    leases,
    onFailure: ({ name }) => failures.push(name),
    pace: { now: time.pace.now, pause },
    random: () => 0.5,
  });
  await over.promise;
  await stop();
  return failures;
}

describe('a server', () => {
  test('runs each task within seconds of its start, then each hour', async ({ leases, time }) => {
    const began = time.now;
    const runs: number[] = [];
    const task = shortTask('tidy', () => runs.push(time.now - began));
    await runFor(3.5 * HOUR, time, leases, [task]);
    expect(runs).toHaveLength(4);
    expect(runs[0]).toBeLessThan(10_000);
    for (const [index, at] of runs.entries()) expect(Math.abs(at - index * HOUR)).toBeLessThan(5 * 60_000);
  });

  test('runs what rests for a minute each time that it looks', async ({ leases, time }) => {
    let runs = 0;
    const task = shortTask('tidy', () => {
      runs += 1;
    });
    await runFor(HOUR / 6, time, leases, [{ ...task, rest: 'inAMinute' }]);
    expect(runs).toBeGreaterThanOrEqual(9);
  });

  test('runs what rests for a minute within two, once a clock that was ahead is right again', async ({
    storage,
    leases,
    time,
  }) => {
    const ahead = new FakeTime();
    const options = { pace: time.pace, signal };
    const task: MaintenanceTask = { ...shortTask('tidy', () => {}), rest: 'inAMinute' };
    const runAhead = () => runTask(task, { ...options, leases: openLeases(storage, ahead), when: 'now' });
    const run = () => runTask(task, { ...options, leases, when: 'due' });
    ahead.now = time.now + MINUTE;
    expect([await runAhead(), await run()]).toEqual(['done', 'refused']);
    ahead.now += 1;
    expect([await runAhead(), await run()]).toEqual(['done', 'done']);
  });

  test('says which task failed, and runs the others', async ({ leases, time }) => {
    let runs = 0;
    const failing = shortTask('failing', () => {
      throw new Error('It fails.');
    });
    const sound = shortTask('sound', () => {
      runs += 1;
    });
    expect(await runFor(1.5 * HOUR, time, leases, [failing, sound])).toEqual(['failing', 'failing']);
    expect(runs).toBe(2);
  });

  test('that stops begins no further step, and leaves the task to others at once', async ({ storage, time }) => {
    let steps = 0;
    let stop = () => Promise.resolve();
    const stopped = Promise.withResolvers<void>();
    const task = slowTask(time, 1_000, () => {
      steps += 1;
      if (steps === 3) stopped.resolve(stop());
    });
    const leases = openLeases(storage, time);
    stop = schedule({ tasks: [task], leases, onFailure: () => {}, pace: time.pace, random: () => 0 });
    await stopped.promise;
    expect(steps).toBe(3);
    expect(await openLeases(storage, time).take('slow', 'due')).toBeDefined();
  });
});
