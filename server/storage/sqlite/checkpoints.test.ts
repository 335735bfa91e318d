import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Checkpoints } from './checkpoints.ts';
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

let rows = 0;

function write(mebibytes: number): void {
  const insert = writer.prepare('insert into filling values (?, ?)');
  for (let n = 0; n < mebibytes; n += 1) insert.run((rows += 1), new Uint8Array(MEBIBYTE));
}

const fileBytes = () => statSync(file).size;
const logBytes = () => statSync(`${file}-wal`).size;

describe('the log', () => {
  it('is written back without the writer, and begins anew', async () => {
    const checkpoints = new Checkpoints(file, { bounds: { beginAbove: 0, waitAbove: 0 } });
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
    const checkpoints = new Checkpoints(file, { bounds: { beginAbove: 3_000, waitAbove: 3_000 } });
    write(2);
    await checkpoints.committed(3_000);
    await checkpoints.close();
    expect(fileBytes()).toBeLessThan(MEBIBYTE);
  });

  it('begins anew also while it is written without a pause', async () => {
    const checkpoints = new Checkpoints(file, { bounds: { beginAbove: 500, waitAbove: 4_000 } });
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
    const checkpoints = new Checkpoints(file, { bounds: { beginAbove: 0, waitAbove: 0 }, now: () => time });
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
  const checkpoints = new Checkpoints(folder, { bounds: { beginAbove: 0, waitAbove: 0 }, now: () => time });
  for (time of [0, 0, 999, 1_000, 1_999]) await checkpoints.committed(1);
  process.off('worker', count);
  expect(threads).toBe(2);
  await checkpoints.close();
});

it('leaves no connection behind: the last one that is closed takes the log away', async () => {
  const checkpoints = new Checkpoints(file, { bounds: { beginAbove: 0, waitAbove: 0 } });
  write(1);
  await checkpoints.committed(1);
  writer.close();
  expect(logBytes()).toBeGreaterThan(0);
  await checkpoints.close();
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
});
