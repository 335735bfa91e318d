import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUnavailable } from '../transient-errors.ts';
import type { CheckpointReply } from './checkpoint-requests.ts';
import { type CheckpointBounds, Checkpoints } from './checkpoints.ts';
import { openConnection } from './connection.ts';

const MEBIBYTE = 1_048_576;

let folder: string;
let file: string;
let writer: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-checkpoints-'));
  file = join(folder, 'x.db');
  writer = openConnection(file);
  writer.exec('create table filling (n integer primary key, bytes blob)');
});

afterEach(() => {
  if (writer.isOpen) writer.close();
  rmSync(folder, { recursive: true });
});

const boundsOf = (beginAbove: number, waitAbove: number): CheckpointBounds => ({
  beginAbove,
  waitAbove,
  waitMs: 10_000,
});

let rows = 0;

function write(mebibytes: number): void {
  const insert = writer.prepare('insert into filling values (?, ?)');
  for (let n = 0; n < mebibytes; n += 1) insert.run((rows += 1), new Uint8Array(MEBIBYTE));
}

const fileBytes = () => statSync(file).size;
const logBytes = () => statSync(`${file}-wal`).size;

describe('the log', () => {
  it('is written back without the writer, and begins anew', async () => {
    const checkpoints = new Checkpoints(file, { bounds: boundsOf(0, 0) });
    write(8);
    expect(fileBytes()).toBeLessThan(MEBIBYTE);
    await checkpoints.committed(2_000);
    expect(fileBytes()).toBeGreaterThan(8 * MEBIBYTE);
    const before = logBytes();
    write(4);
    expect(logBytes(), 'it is written from its beginning').toBe(before);
    await checkpoints.close();
  });

  it('is left as it is while it is short', async () => {
    const checkpoints = new Checkpoints(file, { bounds: boundsOf(3_000, 3_000) });
    write(2);
    await checkpoints.committed(3_000);
    await checkpoints.close();
    expect(fileBytes()).toBeLessThan(MEBIBYTE);
  });

  it('begins anew also while it is written without a pause', async () => {
    const checkpoints = new Checkpoints(file, { bounds: boundsOf(500, 4_000) });
    let longest = 0;
    for (let n = 0; n < 100; n += 1) {
      write(1);
      const frames = Math.floor(logBytes() / 4_120);
      await checkpoints.committed(frames);
      longest = Math.max(longest, logBytes());
    }
    await checkpoints.close();
    expect(longest).toBeLessThan(40 * MEBIBYTE);
  });

  it('keeps what a snapshot reads, and is written back once that has ended', async () => {
    let time = 0;
    const checkpoints = new Checkpoints(file, { bounds: boundsOf(0, 0), now: () => time });
    write(1);
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('begin; select count(*) from filling');
    write(4);
    await checkpoints.committed(1_000);
    expect(fileBytes()).toBeLessThan(2 * MEBIBYTE);
    reader.close();
    time = 20;
    await checkpoints.committed(1_000);
    expect(fileBytes()).toBeGreaterThan(5 * MEBIBYTE);
    await checkpoints.close();
  });
});

it('where that fails, no write does, and it is tried again after a second', async () => {
  let time = 0;
  let threads = 0;
  const count = () => (threads += 1);
  process.on('worker', count);
  // A folder is no database.
  const checkpoints = new Checkpoints(folder, { bounds: boundsOf(0, 0), now: () => time });
  for (time of [0, 0, 999, 1_000, 1_999]) await checkpoints.committed(1);
  process.off('worker', count);
  expect(threads).toBe(2);
  await checkpoints.close();
});

it('leaves no connection behind: the last one that is closed takes the log away', async () => {
  const checkpoints = new Checkpoints(file, { bounds: boundsOf(0, 0) });
  write(1);
  await checkpoints.committed(1);
  writer.close();
  expect(logBytes()).toBeGreaterThan(0);
  await checkpoints.close();
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
});

describe('a disk', () => {
  /** Checkpoints whose thread answers in this way; what it was asked. */
  function answering(...replies: (CheckpointReply | Promise<CheckpointReply>)[]) {
    const asked: string[] = [];
    const state = { time: 0 };
    const checkpoints = new Checkpoints(file, {
      bounds: { beginAbove: 10, waitAbove: 100, waitMs: 5 },
      now: () => state.time,
      ask: async (request) => {
        asked.push(request);
        return replies.shift() ?? { state: 'kept', hasWritten: false };
      },
    });
    const commit = async (frames: number) => {
      await checkpoints.committed(frames);
      await nextTurn();
      state.time += 5_000;
    };
    return { checkpoints, asked, commit, state };
  }

  const FAILED: CheckpointReply = { state: 'failed', reason: 'disk I/O error' };
  const quick: CheckpointReply = { state: 'almost', tookMs: 20 };
  const slow: CheckpointReply = { state: 'almost', tookMs: 3_000 };

  it('that is quick has the log begin anew with the next commit', async () => {
    const { asked, commit } = answering(quick, { state: 'anew' });
    for (const frames of [10, 11, 12, 5]) await commit(frames);
    expect(asked).toEqual(['write back', 'begin anew']);
  });

  it('that is slow has writers wait for that only once the log is long', async () => {
    const { asked, commit } = answering(slow, slow, { state: 'anew' });
    for (const frames of [50, 99, 101]) await commit(frames);
    expect(asked).toEqual(['write back', 'write back', 'begin anew']);
  });

  it('that fails is told at once, and refuses writes once the log is long, until it has succeeded', async () => {
    const { checkpoints, asked, commit, state } = answering(FAILED, FAILED, FAILED, quick);
    await commit(50);
    expect(() => checkpoints.check()).toThrow(
      "can't write its log into the database file (disk I/O error): its disk is full, or fails. Writes go on",
    );
    expect(() => checkpoints.checkRoom()).not.toThrow();
    await commit(101);
    let refused: unknown;
    try {
      checkpoints.checkRoom();
    } catch (error) {
      refused = error;
    }
    expect(isUnavailable(refused)).toBe(true);
    expect(String(refused)).toContain('writes are refused');
    // To look at it is to try again.
    await nextTurn();
    state.time += 1_000;
    expect(() => checkpoints.check()).toThrow('disk I/O error');
    await nextTurn();
    expect(() => checkpoints.check()).not.toThrow();
    expect(asked).toEqual(Array.from({ length: 4 }, () => 'write back'));
  });

  it('that failed is told of while a snapshot keeps anything from being written', async () => {
    const { checkpoints, commit } = answering(
      FAILED,
      { state: 'kept', hasWritten: false },
      { state: 'kept', hasWritten: true },
    );
    await commit(50);
    await commit(50);
    expect(() => checkpoints.check()).toThrow('disk I/O error');
    await nextTurn();
    expect(() => checkpoints.check()).not.toThrow();
  });

  it('that hangs holds a write up for a bounded time, and refuses the next ones', async () => {
    const { checkpoints, commit } = answering(new Promise(() => {}));
    await commit(101);
    expect(() => checkpoints.checkRoom()).toThrow(/log is long, and writing it into the database file takes longer/);
    expect(() => checkpoints.check()).not.toThrow();
  });
});
