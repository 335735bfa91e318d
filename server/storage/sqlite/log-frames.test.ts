import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_SUMS, sumUp, type Sums } from './log-checksum.ts';
import { LogFrames, type LogState } from './log-frames.ts';

const HEADER = 32;
const FRAME = 24 + 4_096;

let folder: string;
let file: string;
let database: DatabaseSync;
let frames: LogFrames;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-log-'));
  open('x');
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true });
});

function open(name: string): void {
  file = join(folder, name);
  database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 0');
  database.exec('create table if not exists rows (n integer primary key, bytes blob)');
  frames = new LogFrames(`${file}-wal`, `${file}-shm`);
}

/** SQLite first: a descriptor that is closed would free its locks. */
function close(): void {
  database.close();
  frames.close();
}

/** One transaction of a few pages, each of bytes of which most pages have no zero at their end. */
const write = (rows = 3) =>
  database.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    insert into rows (bytes) select randomblob(3000) from numbers`);

const log = () => readFileSync(`${file}-wal`);

const index = () => readFileSync(`${file}-shm`);

function lookAtAll(looking = frames): LogState {
  let state = looking.look();
  while (state === 'partly') state = looking.look();
  return state;
}

const hasOnlyZeros = (bytes: Buffer) => bytes.every((byte) => byte === 0);

/** A number from one to another, and often one near the bounds of frames and their headers. */
const place = (from: number, to: number) =>
  fc.oneof(
    fc.integer({ min: from, max: to }),
    fc
      .tuple(
        fc.nat({ max: Math.ceil(to / FRAME) }),
        fc.constantFrom(0, 8, 16, 24, FRAME - 4),
        fc.integer({ min: -1, max: 1 }),
      )
      .map(([frame, part, off]) => Math.min(to, Math.max(from, HEADER + frame * FRAME + part + off))),
  );

describe('a log that is cut short', () => {
  it('anywhere, and is as long as before by the next write, is noticed', () => {
    write(5);
    const most = log().length - 1;
    let made = 0;
    fc.assert(
      fc.property(place(0, most), (cut) => {
        close();
        open(`cut-${(made += 1)}`);
        write(5);
        expect(lookAtAll()).toBe('whole');
        const before = log();
        truncateSync(`${file}-wal`, cut);
        // The pages that it changes are in memory, as they are in that of a server.
        write(5);
        expect(log().length).toBeGreaterThan(before.length);
        expect(lookAtAll()).toBe(hasOnlyZeros(before.subarray(cut)) ? 'whole' : 'cut');
      }),
      { numRuns: 60 },
    );
  });

  it('anywhere in what was written since the last look, however much was written after that, is noticed', () => {
    write();
    const before = { log: log(), index: index() };
    for (let transactions = 0; transactions < 4; transactions += 1) write();
    const now = { log: log(), index: index() };
    const copy = join(folder, 'copy');
    const from = before.log.length;
    fc.assert(
      fc.property(place(from, now.log.length), place(from, now.log.length), (one, other) => {
        const [begin, to] = one < other ? [one, other] : [other, one];
        writeFileSync(`${copy}-wal`, before.log);
        writeFileSync(`${copy}-shm`, before.index);
        const looking = new LogFrames(`${copy}-wal`, `${copy}-shm`);
        expect(looking.look()).toBe('whole');
        writeFileSync(`${copy}-wal`, Buffer.from(now.log).fill(0, begin, to));
        writeFileSync(`${copy}-shm`, now.index);
        expect(looking.look()).toBe(hasOnlyZeros(now.log.subarray(begin, to)) ? 'whole' : 'cut');
        looking.close();
      }),
      { numRuns: 300 },
    );
  });

  it('in the middle of what takes several looks is noticed', () => {
    write();
    expect(frames.look()).toBe('whole');
    write(1_500);
    expect([frames.look(), frames.look()]).toEqual(['partly', 'partly']);
    const whole = log();
    const at = HEADER + 700 * FRAME;
    writeFileSync(`${file}-wal`, Buffer.from(whole).fill(0, at, at + 10), { flag: 'r+' });
    expect(lookAtAll()).toBe('cut');
    writeFileSync(`${file}-wal`, whole, { flag: 'r+' });
    expect(lookAtAll()).toBe('whole');
  });

  it('after it has begun anew is noticed, in its header too', () => {
    write(20);
    expect(frames.look()).toBe('whole');
    database.exec('pragma wal_checkpoint(restart)');
    write(5);
    const whole = log();
    for (const at of [HEADER - 8, HEADER, HEADER + FRAME + 8]) {
      writeFileSync(`${file}-wal`, Buffer.from(whole).fill(0, at, at + 8), { flag: 'r+' });
      expect(lookAtAll()).toBe('cut');
    }
    writeFileSync(`${file}-wal`, whole, { flag: 'r+' });
    expect(lookAtAll()).toBe('whole');
  });
});

describe('a log that nobody cuts', () => {
  const STEPS: Record<string, () => void> = {
    'a write': () => write(),
    'a long write': () => write(600),
    'a write that is undone': () => {
      database.exec('begin');
      write();
      database.exec('rollback');
    },
    'a checkpoint': () => database.exec('pragma wal_checkpoint(passive)'),
    'a checkpoint after which it begins anew': () => database.exec('pragma wal_checkpoint(restart)'),
    'a checkpoint that empties it': () => database.exec('pragma wal_checkpoint(truncate)'),
    'a change of all pages': () => database.exec('vacuum'),
    'a look': () => expect(frames.look()).not.toBe('cut'),
  };

  it('is whole, whatever is written and whenever it begins anew', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 15 }), (steps) => {
        close();
        open(`steps-${(made += 1)}`);
        for (const step of steps) STEPS[step]?.();
        expect(lookAtAll()).toBe('whole');
      }),
      { numRuns: 40 },
    );
  });

  it('is whole where a snapshot keeps a checkpoint from its end', () => {
    write();
    const reader = new DatabaseSync(file);
    reader.exec('begin; select * from rows');
    write();
    expect(lookAtAll()).toBe('whole');
    database.exec('pragma wal_checkpoint(passive)');
    write();
    expect(lookAtAll()).toBe('whole');
    reader.close();
    database.exec('pragma wal_checkpoint(passive)');
    write();
    expect(lookAtAll()).toBe('whole');
  });

  it('is not known to be whole or cut while its index says nothing', () => {
    write();
    expect(frames.look()).toBe('whole');
    const whole = index();
    writeFileSync(`${file}-shm`, Buffer.from(whole).fill(0xa5, 16, 20), { flag: 'r+' });
    expect(frames.look()).toBe('unknown');
    writeFileSync(`${file}-shm`, Buffer.from(whole).fill(0xa5, 0, 96), { flag: 'r+' });
    expect(frames.look()).toBe('unknown');
    writeFileSync(`${file}-shm`, whole, { flag: 'r+' });
    expect(frames.look()).toBe('whole');
  });

  it('is whole as a machine of the other order of bytes has begun it', () => {
    write();
    const bytes = log();
    close();
    writeFileSync(`${file}-wal`, inBigEndian(bytes));
    open('x');
    write();
    // SQLite has taken it for whole, and goes on as it was begun.
    expect(log().readUInt32BE()).toBe(BIG_ENDIAN);
    expect(database.prepare('select count(*) as count from rows').get()).toEqual({ count: 6 });
    expect(lookAtAll()).toBe('whole');
    write();
    expect(lookAtAll()).toBe('whole');
  });
});

/** With what a log begins that is summed up in this order of bytes. */
const BIG_ENDIAN = 0x37_7f_06_83;

function inBigEndian(bytes: Buffer): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint32(0, BIG_ENDIAN);
  const put = (at: number, sums: Sums) => {
    for (const [place, sum] of sums.entries()) view.setUint32(at + 4 * place, sum);
    return sums;
  };
  const words = Int32Array.from({ length: bytes.length / 4 }, (_, word) => view.getInt32(4 * word));
  let sums = put(24, sumUp(words, 0, 24, NO_SUMS));
  for (let at = HEADER; at < bytes.length; at += FRAME) {
    sums = put(at + 16, sumUp(words, at + 24, at + FRAME, sumUp(words, at, at + 8, sums)));
  }
  return bytes;
}
