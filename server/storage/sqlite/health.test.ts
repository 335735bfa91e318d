import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Storage } from '../storage.ts';
import { isUnavailable } from '../transient-errors.ts';
import { openSqlite } from './database.ts';
import type { DatabaseFiles } from './database-files.ts';
import { SqliteHealth } from './health.ts';
import type { KnownDamage } from './known-damage.ts';
import type { RoomToGrow } from './room-to-grow.ts';
import { errorOf } from '../testing/error-of.ts';
import { LogFrames } from './log-frames.ts';
import { WatchedFile } from './testing/watched-file.ts';

let watched: WatchedFile;
let file: string;
let storage: Storage;

beforeEach(async () => {
  watched = await WatchedFile.open();
  ({ file, storage } = watched);
});

afterEach(() => watched.remove());

function overwrite(from: number, length: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(descriptor);
}

const PAGE = 4_096;

/** The first byte of a page with rows, and of one with keys, of which no other hangs. */
const LEAVES = new Set([0x0d, 0x0a]);

function overwriteLeavesWith(text: string): void {
  const bytes = readFileSync(file);
  for (let page = 0; page < bytes.length; page += PAGE) {
    const isLeaf = LEAVES.has(bytes[page] ?? 0);
    if (isLeaf && bytes.subarray(page, page + PAGE).includes(text)) overwrite(page, PAGE);
  }
}

/** Of some pages, of which a check does not look at all. */
async function addManyWorkspaces(): Promise<void> {
  const rows = Array.from({ length: 2_000 }, (_, index) => ({
    workspace_id: `workspace-${index}`,
    hash_key_id: 'k',
    created_at: 1,
  }));
  await storage.write((tx) => tx.insertInto('workspaces').values(rows).execute());
}

/** As somebody does who moves it to a larger disk. */
function moveAndLink(path: string): void {
  renameSync(path, `${path}.moved`);
  symlinkSync(`${path}.moved`, path);
}

const LOSSES: [string, () => void, RegExp][] = [
  ['removed', () => rmSync(file), /branchline\.db was removed or renamed.*-wal\.lost\. Put the file back.*start again/],
  ['renamed', () => renameSync(file, `${file}.old`), /branchline\.db was removed or renamed/],
  [
    'renamed with its log',
    () => ['', '-wal', '-shm'].forEach((end) => renameSync(`${file}${end}`, `${file}${end}.old`)),
    /branchline\.db was removed or renamed.*and so was its log .*branchline\.db-wal, or something was mounted.*Put both back/,
  ],
  [
    'renamed, with a link put in its place',
    () => moveAndLink(file),
    /branchline\.db was moved while it was in use, and a link put in its place\. Start again/,
  ],
  [
    'replaced',
    () => {
      copyFileSync(file, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
    /branchline\.db was replaced by another file.*start again/,
  ],
  ['emptied', () => truncateSync(file), /branchline\.db was emptied/],
  ['cut short', () => truncateSync(file, statSync(file).size - 1), /branchline\.db was cut short.*-wal\.lost/],
  ['cut short in its first page', () => truncateSync(file, 20), /branchline\.db was cut short/],
  ['robbed of its log', () => rmSync(`${file}-wal`), /branchline\.db-wal was removed or replaced.*Start again/],
  ['robbed of its log, with a link put in its place', () => moveAndLink(`${file}-wal`), /-wal was removed or replaced/],
  [
    'robbed of its index, with a link put in its place',
    () => moveAndLink(`${file}-shm`),
    /-shm was removed or replaced/,
  ],
  ['robbed of its index', () => rmSync(`${file}-shm`), /branchline\.db-shm was removed or replaced/],
  ['robbed of its lock', () => rmSync(`${file}.lock`), /branchline\.db\.lock was removed.*a second server could start/],
  ['given another lock', () => moveAndLink(`${file}.lock`), /branchline\.db\.lock was removed or replaced/],
];

describe.each(LOSSES)('a database that is %s', (_what, lose, sentence) => {
  it('takes no write any more, not one', async () => {
    await watched.addWorkspace('before');
    lose();
    const error = await errorOf(watched.addWorkspace('lost'));
    expect(String(error)).toMatch(sentence);
    expect(isUnavailable(error)).toBe(true);
    expect(isUnavailable(await errorOf(watched.addWorkspace('later')))).toBe(true);
  });

  it('is not ready', async () => {
    await storage.ping();
    lose();
    await expect(storage.ping()).rejects.toThrow(sentence);
  });

  it('is noticed by looking from time to time, although nobody asks', async () => {
    lose();
    watched.look();
    expect(String(await storage.lost)).toMatch(sentence);
    expect(isUnavailable(await errorOf(watched.addWorkspace('later')))).toBe(true);
  });
});

it('a database that another process makes smaller is not lost, also when it grows again', async () => {
  for (let number = 0; number < 300; number += 1) await watched.addWorkspace(`${number}-${'x'.repeat(1_000)}`);
  watched.checkpoint();
  watched.look();
  const before = statSync(file).size;
  await storage.write((tx) => tx.deleteFrom('workspaces').execute());
  const other = new DatabaseSync(file);
  other.exec('vacuum');
  other.close();
  watched.checkpoint();
  expect(statSync(file).size).toBeLessThan(before);
  watched.look();
  for (let number = 0; number < 300; number += 1) await watched.addWorkspace(`${number}-${'x'.repeat(1_000)}`);
  watched.checkpoint();
  await watched.addWorkspace('after');
});

it('a database that stays in its place is not lost, and is looked at until it is closed', async () => {
  let lost = false;
  void storage.lost.then(() => (lost = true));
  watched.look();
  await watched.addWorkspace('a');
  watched.checkpoint();
  const beside = await openSqlite(file);
  await beside.close();
  watched.look();
  await storage.ping();
  expect({ lost, isWatched: watched.isWatched }).toEqual({ lost: false, isWatched: true });
  await storage.close();
  expect(watched.isWatched).toBe(false);
});

it('what was stored before the log was removed is in the database after the end', async () => {
  await watched.addWorkspace('before');
  await storage.db.selectFrom('workspaces').selectAll().execute();
  rmSync(`${file}-wal`);
  await storage.close();
  const again = await openSqlite(file);
  expect(await again.db.selectFrom('workspaces').select('workspace_id').execute()).toEqual([
    { workspace_id: 'before' },
  ]);
  await again.close();
});

describe('a damaged database', () => {
  beforeEach(async () => {
    await watched.addWorkspace('a');
    watched.checkpoint();
    // All pages are in the memory of the connection that reads.
    await storage.db.selectFrom('workspaces').selectAll().execute();
  });

  it.each<[string, () => void]>([
    ['whose header is overwritten', () => overwrite(0, 100)],
    ['all of whose tables are overwritten', () => overwrite(4_096, statSync(file).size - 4_096)],
  ])('%s is not ready, although its pages are in memory', async (_what, harm) => {
    await storage.ping();
    harm();
    const error = await errorOf(storage.ping());
    expect(String(error)).toMatch(
      /branchline\.db is damaged \(.*\)\. Where its disk failed.*stop the server, let `pragma integrity_check` read/,
    );
    expect(isUnavailable(error)).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a read', () => storage.db.selectFrom('workspaces').selectAll().where('created_at', '>=', 0).execute()],
    ['a write', () => storage.write((tx) => tx.updateTable('workspaces').set({ created_at: 2 }).execute())],
    [
      'an export',
      () =>
        Array.fromAsync(
          storage.stream((db) => db.selectFrom('workspaces').selectAll().where('created_at', '>=', 0), 'shop'),
        ),
    ],
  ])('in a page that a check does not look at is not ready any more once %s has met it', async (_what, meet) => {
    await addManyWorkspaces();
    await storage.close();
    overwriteLeavesWith('workspace-999');
    storage = await openSqlite(file);
    await storage.ping();
    expect(String(await errorOf(meet()))).toContain('malformed');
    await expect(storage.ping()).rejects.toThrow(/branchline\.db is damaged/);
    await storage.close();
  });

  it('is ready again once all of it is in order, as after a disk that failed to read for a moment', async () => {
    await addManyWorkspaces();
    await storage.close();
    const whole = readFileSync(file);
    overwriteLeavesWith('workspace-999');
    const clock = { now: 0 };
    storage = await openSqlite(file, { now: () => clock.now });
    await errorOf(storage.db.selectFrom('workspaces').selectAll().where('created_at', '>=', 0).execute());
    writeFileSync(file, whole);
    clock.now = 5_000;
    await expect(storage.ping()).rejects.toThrow(/is damaged/);
    await expect.poll(() => errorOf(storage.ping())).toBeUndefined();
  });

  it('is refused with a sentence when it is opened', async () => {
    await storage.close();
    overwrite(4_096, statSync(file).size - 4_096);
    await expect(openSqlite(file)).rejects.toThrow(/can't be opened.*malformed\. Restore it from your backup, or name/);
  });
});

it('a log that the disk fails to read makes a write unavailable, whatever was stored', async () => {
  const fault = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
  const failingDisk = vi.spyOn(LogFrames.prototype, 'look').mockImplementation(() => {
    throw fault;
  });
  const error = await errorOf(watched.addWorkspace('unread'));
  failingDisk.mockRestore();
  expect(isUnavailable(error)).toBe(true);
  expect(String(error)).toContain("branchline.db-wal can't be read");
  await watched.addWorkspace('later');
  await storage.ping();
});

describe('a check whether writes are taken', () => {
  it('takes a writer that is busy for none that fails', async () => {
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    await storage.ping();
    other.exec('rollback');
    other.close();
  });

  it('fails once it is known that its turn does not come', async () => {
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    await expect.poll(() => errorOf(storage.ping()).then(String)).toContain('locked');
    other.exec('rollback');
    other.close();
    await expect.poll(() => errorOf(storage.ping())).toBeUndefined();
  });

  it('fails while no write has ended for five seconds', async () => {
    const clock = { now: 0 };
    await storage.close();
    storage = await openSqlite(file, { now: () => clock.now });
    const { promise, resolve } = Promise.withResolvers<void>();
    const write = storage.write(async () => promise);
    await storage.ping();
    clock.now = 5_000;
    await storage.ping();
    clock.now = 5_001;
    await expect(storage.ping()).rejects.toThrow('No write has ended for 5 seconds');
    resolve();
    await write;
    await expect.poll(() => errorOf(storage.ping())).toBeUndefined();
    await storage.close();
  });

  it('opens no file while a write is under way, which may mean that its disk hangs', async () => {
    const sound = { check: () => {}, checkRoom: () => {} };
    const health = new SqliteHealth({
      file: '/is/not/there',
      files: sound as unknown as DatabaseFiles,
      known: sound as unknown as KnownDamage,
      db: storage.db,
      write: () => new Promise(() => {}),
      room: { shortage: undefined } as RoomToGrow,
      checkpoints: sound,
      committedAt: () => 0,
      now: () => 0,
    });
    expect(await health.check()).toBeUndefined();
  });

  it('stores nothing', async () => {
    watched.checkpoint();
    const before = readFileSync(`${file}-wal`).length;
    await storage.ping();
    expect(readFileSync(`${file}-wal`)).toHaveLength(before);
  });
});

const LOCKS = '/proc/locks';

it.skipIf(!existsSync(LOCKS))(
  `opening leaves SQLite its locks${existsSync(LOCKS) ? '' : ' (needs /proc/locks)'}`,
  () => {
    const held = readFileSync(LOCKS, 'utf8')
      .split('\n')
      .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `));
    expect(held).toEqual([expect.stringContaining('READ')]);
  },
);
