import { beforeEach, expect, test } from 'vitest';
import { LogPace, PacedReader } from './log-pace.ts';

const BOUNDS = {
  fromBytes: 1_000,
  bytesPerMs: 1,
  mostForOneMs: 800,
  mostForAllMs: 1_000,
  longestRestMs: 500,
  mostAwayMs: 50,
  waitsTimes: 3,
  longestWaitMs: 900,
};

let now: number;
/** How long each has waited. */
let waits: number[];
let pace: LogPace;

/** Waits end at once, by a clock that goes on by as much. */
beforeEach(() => {
  now = 0;
  waits = [];
  pace = new LogPace(BOUNDS, {
    now: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  });
});

/** What somebody rests after a transaction that has made the log so long. */
async function restAt(bytes: number, readers: PacedReader[], holder = 'writer'): Promise<number> {
  waits = [];
  await pace.rest(holder, bytes, readers);
  return waits[0] ?? 0;
}

function readFor(milliseconds: number, holder = 'reader'): PacedReader {
  const reader = new PacedReader(holder);
  reader.readForMs = milliseconds;
  return reader;
}

test('nobody rests while the log is no longer than it may be by then', async () => {
  expect(await restAt(1_000, [readFor(0)])).toBe(0);
  expect(await restAt(1_500, [readFor(500)])).toBe(0);
  expect(await restAt(1_600, [readFor(500)])).toBe(100);
});

test('whoever has written little rests as little, however long the log is', async () => {
  await restAt(5_000, []);
  expect(await restAt(5_003, [readFor(0)])).toBe(3);
  expect(await restAt(5_003, [readFor(0)])).toBe(0);
  expect(await restAt(9_000, [readFor(0)]), 'no rest is longer than so').toBe(500);
});

test('nobody rests for a snapshot of their own, for one that waits for its client, and for one for longer than it may be', async () => {
  expect(await restAt(2_000, [readFor(0, 'writer')])).toBe(0);
  const reader = readFor(0);
  pace.setAway(reader, true);
  now += 51;
  expect(await restAt(2_100, [reader])).toBe(0);
  pace.setAway(reader, false);
  expect(await restAt(2_200, [reader])).toBe(100);
  expect(await restAt(2_300, [readFor(800)])).toBe(0);
});

test('those who rest at a time have equal parts of what the log may grow by', async () => {
  const ends: (() => void)[] = [];
  pace = new LogPace(BOUNDS, {
    now: () => now,
    wait: (milliseconds) => new Promise((resolve) => ends.push(resolve) && waits.push(milliseconds)),
  });
  const resting = [pace.rest('a', 1_100, [readFor(0)]), pace.rest('b', 1_200, [readFor(0)])];
  expect(waits).toEqual([100, 200]);
  for (const end of ends) end();
  await Promise.all(resting);
  void pace.rest('a', 1_300, [readFor(0)]);
  expect(waits).toEqual([100, 200, 100]);
});

/** Somebody writes as much as can be while a snapshot is read for so long. */
async function writeBeside(reader: PacedReader, milliseconds: number): Promise<void> {
  let bytes = 2_000;
  pace = new LogPace(BOUNDS, {
    now: () => now,
    wait: async (wait) => {
      for (let passed = 0; passed < wait; passed += 100) {
        now += 100;
        pace.count([reader], 100);
      }
    },
  });
  for (const end = now + milliseconds; now < end; bytes += 100) {
    const before = now;
    await pace.rest('writer', bytes, [reader]);
    if (now === before) now += 100;
  }
}

test('whose snapshot others rested for waits three times as long before the next, within a bound, and nobody else does', async () => {
  const reader = readFor(0);
  await writeBeside(reader, 200);
  const { restedForMs } = reader;
  expect(restedForMs).toBeGreaterThanOrEqual(200);
  pace.end(reader);
  const ended = now;
  await pace.leaveToOthers('another');
  expect(now).toBe(ended);
  await pace.leaveToOthers('reader');
  expect(now - ended).toBe(Math.min(restedForMs * 3, 900));
  await pace.leaveToOthers('reader');
  expect(now - ended).toBe(Math.min(restedForMs * 3, 900));
});

test('whose snapshot nobody rested for, but themselves, waits for nobody', async () => {
  const [reader, own] = [readFor(0), readFor(0, 'writer')];
  pace.count([reader], 100);
  expect(reader).toMatchObject({ readForMs: 100, restedForMs: 0 });
  pace = new LogPace(BOUNDS, { now: () => now, wait: async () => pace.count([reader, own], 100) });
  await pace.rest('writer', 2_000, [reader, own]);
  expect([reader.restedForMs, own.restedForMs]).toEqual([100, 0]);
  pace.end(own);
  await pace.leaveToOthers('writer');
  expect(reader.restedForMs, 'no wait has counted again').toBe(100);
});

test('all rest for half of the time at most, whoever reads', async () => {
  let rested = 0;
  let bytes = 10_000;
  let reader = readFor(0);
  pace = new LogPace(BOUNDS, {
    now: () => now,
    wait: async (milliseconds) => {
      rested += milliseconds;
      for (let passed = 0; passed < milliseconds; passed += 50) {
        now += 50;
        pace.count([reader], 50);
      }
    },
  });
  for (let round = 0; now < 60_000; round += 1) {
    // Another one reads each time, so that somebody is always read for.
    reader = readFor(0, `reader-${round}`);
    const before = now;
    await pace.rest('writer', (bytes += 50), [reader]);
    if (now === before) now += 50;
  }
  expect(rested).toBeGreaterThan(20_000);
  expect(rested).toBeLessThan(34_000);
});
