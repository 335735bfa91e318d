import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isUnavailable } from '../transient-errors.ts';
import { LogPace } from './log-pace.ts';
import { SqliteSnapshots } from './snapshot.ts';
import { WalGuard } from './wal.ts';

const MEBIBYTE = 1_048_576;
const BOUNDS = {
  paceAboveBytes: 2 * MEBIBYTE,
  waitAboveBytes: 4 * MEBIBYTE,
  waitMs: 3_600_000,
  firstWaitMs: 0,
  endAboveBytes: 8 * MEBIBYTE,
};
/** A mebibyte in a second. */
const PACE = {
  fromBytes: 0,
  bytesPerMs: MEBIBYTE / 1_000,
  mostForOneMs: 3_600_000,
  mostForAllMs: 3_600_000,
  longestRestMs: 3_600_000,
  mostAwayMs: 3_600_000,
  waitsTimes: 1,
  longestWaitMs: 3_600_000,
};
const ROWS = 20_000;

let folder: string;
let file: string;
let writer: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-wal-'));
  file = join(folder, 'x.db');
  writer = new DatabaseSync(file);
  writer.exec('pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 200');
  writer.exec(`pragma journal_size_limit = ${MEBIBYTE}; create table filling (n integer primary key, text text)`);
  writer.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})
    insert into filling select n, 'x' from numbers`);
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

let written = 0;

const walBytes = () => statSync(`${file}-wal`).size;

/** Writes this much to the log, in one transaction after the other. */
function write(mebibytes: number): void {
  const update = writer.prepare('update filling set text = ? where n = 1');
  // A page that stays the same would not be written again.
  for (let n = 0; n < mebibytes * 4; n += 1)
    update.run(
      String((written += 1))
        .padStart(8, '0')
        .repeat(MEBIBYTE / 32),
    );
}

function isOf(path: string, descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  } catch {
    // It was the one by which they are listed.
    return false;
  }
}

const query = { compile: () => ({ sql: 'select n from filling order by n', parameters: [] }) } as never;
const read = (snapshots: SqliteSnapshots, holder = 'w') =>
  snapshots.stream<{ n: number }>(holder, query)[Symbol.asyncIterator]();

describe('the write-ahead log', () => {
  it('ends the snapshots that keep it from beginning anew, and is short again', async () => {
    const snapshots = new SqliteSnapshots(file, { wal: BOUNDS });
    const slow = [read(snapshots, 'a'), read(snapshots, 'b')];
    for (const one of slow) await one.next();
    write(7);
    expect((await slow[0]?.next())?.done, 'a log below the bound ends nothing').toBe(false);
    // Writes go on while the slow reader does nothing at all.
    await expect
      .poll(() => {
        write(1);
        return walBytes();
      })
      .toBeLessThan(3 * MEBIBYTE);
    for (const one of slow) await expect(one.next()).rejects.toThrow('the write-ahead log had grown');
  });

  it('has those rest who write much, once it is long, for whoever else reads a snapshot', async () => {
    const rests: number[] = [];
    const pace = new LogPace(
      { ...PACE, fromBytes: 2 * MEBIBYTE },
      { now: () => 0, wait: async (milliseconds) => void rests.push(milliseconds) },
    );
    const guard = new WalGuard(file, BOUNDS, pace);
    const snapshots = new SqliteSnapshots(file, { wal: BOUNDS });
    const reading = read(snapshots, 'reader');
    await reading.next();
    const { forget } = guard.watch('reader', () => {});
    write(1);
    await guard.restAfterWrite('writer');
    expect(rests).toEqual([]);
    write(3);
    await guard.restAfterWrite('reader');
    expect(rests).toEqual([]);
    write(1);
    await guard.restAfterWrite('writer');
    expect(rests).toEqual([expect.closeTo(1_000, -2)]);
    forget();
    write(1);
    await guard.restAfterWrite('writer');
    expect(rests).toHaveLength(1);
    await reading.return?.();
  });

  it('that stays long ends each snapshot once, however late its reader notices', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const snapshots = new SqliteSnapshots(file, { wal: BOUNDS });
      const slow = [read(snapshots, 'a'), read(snapshots, 'b')];
      for (const one of slow) await one.next();
      write(9);
      vi.advanceTimersByTime(10_000);
      expect(walBytes()).toBeGreaterThan(BOUNDS.endAboveBytes);
      for (const one of slow) await expect(one.next()).rejects.toThrow('the write-ahead log had grown');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is read by no more connections than snapshots that are read at once, all closed in the end', async () => {
    const opened = () => readdirSync('/proc/self/fd').filter((descriptor) => isOf(`${file}-wal`, descriptor)).length;
    const before = opened();
    const snapshots = new SqliteSnapshots(file, { wal: BOUNDS });
    for (let round = 0; round < 5; round += 1) {
      const [left, whole] = [read(snapshots, 'a'), read(snapshots, 'b')];
      await left.next();
      for (let next = await whole.next(); next.done !== true;) next = await whole.next();
      await left.return?.();
    }
    expect(opened()).toBe(before + 2);
    const last = read(snapshots);
    await last.next();
    snapshots.close();
    expect(opened()).toBe(before + 1);
    await last.return?.();
    expect(opened()).toBe(before);
  });

  it('frees its readers although they leave after they were ended', async () => {
    const snapshots = new SqliteSnapshots(file, { wal: BOUNDS });
    const slow = read(snapshots);
    await slow.next();
    write(9);
    await expect
      .poll(() => {
        write(2);
        return walBytes();
      })
      .toBeLessThan(3 * MEBIBYTE);
    await slow.return?.();
    expect((await Array.fromAsync(snapshots.stream('w', query))).flat()).toHaveLength(ROWS);
  });

  it('when it is long, holds further snapshots back until those that read have ended and it is short', async () => {
    const snapshots = new SqliteSnapshots(file, { wal: BOUNDS });
    const first = read(snapshots);
    const begun = await first.next();
    write(5);
    const second = read(snapshots);
    let admitted = false;
    const waiting = second.next().then(() => (admitted = true));
    let seen = begun.done === true ? 0 : begun.value.length;
    for (let next = await first.next(); next.done !== true; next = await first.next()) seen += next.value.length;
    expect(seen).toBe(ROWS);
    expect(admitted).toBe(false);
    write(1);
    await waiting;
    expect(walBytes()).toBeLessThan(BOUNDS.waitAboveBytes);
    await second.return?.();
  });

  it('that one holder keeps long keeps no other from its first snapshot, unless all are being ended', async () => {
    const snapshots = new SqliteSnapshots(file, { wal: { ...BOUNDS, waitMs: 200 } });
    const first = read(snapshots, 'a');
    await first.next();
    write(5);
    expect((await Array.fromAsync(snapshots.stream('b', query))).flat()).toHaveLength(ROWS);
    await expect(read(snapshots, 'a').next(), 'who holds it waits').rejects.toThrow('because of other exports');
    write(4);
    await expect(read(snapshots, 'b').next()).rejects.toThrow('because of other exports');
    await first.return?.();
  });

  it('that stays long makes an export unavailable, not endless', async () => {
    const snapshots = new SqliteSnapshots(file, { wal: { ...BOUNDS, waitMs: 200 } });
    const first = read(snapshots);
    await first.next();
    write(5);
    const error: unknown = await read(snapshots)
      .next()
      .then(undefined, (thrown: unknown) => thrown);
    expect(isUnavailable(error)).toBe(true);
    await first.return?.();
  });
});
