import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { isUnavailable } from '../transient-errors.ts';
import { openSqlite } from './database.ts';

let folder: string;
let file: string;
let storage: Storage;
/** What the timer does each second. */
let look: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-cut-log-'));
  file = join(folder, 'branchline.db');
  storage = await openSqlite(file, {
    repeat: (callback) => {
      look = callback;
      return () => {};
    },
  });
});

afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const addWorkspace = (id: string) =>
  storage.write((tx) =>
    tx.insertInto('workspaces').values({ workspace_id: id, hash_key_id: 'k', created_at: 1 }).execute(),
  );

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Writes all into the database file itself, so that nothing is left in the log. */
function checkpoint(): void {
  const other = new DatabaseSync(file);
  other.exec('pragma wal_checkpoint(truncate)');
  other.close();
}

describe('a log that is emptied', () => {
  beforeEach(() => addWorkspace('before'));

  it('with what was stored in it ends the writes, and is noticed', async () => {
    truncateSync(`${file}-wal`);
    look();
    expect(String(await storage.lost)).toMatch(/branchline\.db-wal was emptied or cut short/);
    expect(isUnavailable(await errorOf(addWorkspace('later')))).toBe(true);
  });

  it('is noticed although it was written to since', async () => {
    truncateSync(`${file}-wal`);
    truncateSync(`${file}-wal`, 100_000);
    await expect(storage.ping()).rejects.toThrow(/branchline\.db-wal was emptied/);
  });

  it('or cut short is noticed', async () => {
    for (let index = 0; index < 20; index += 1) await addWorkspace(`more-${index}`);
    truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 100);
    await expect(storage.ping()).rejects.toThrow(/branchline\.db-wal was emptied or cut short/);
  });

  // What a write under way writes after that makes the log as long as its index says.
  it.each([0, 31, 4_100, 40_000, 80_000])(
    'or cut to %i bytes under a write is noticed before that is answered',
    async (bytes) => {
      for (let index = 0; index < 20; index += 1) await addWorkspace(`more-${index}`);
      const write = storage.write(async (tx) => {
        const row = { workspace_id: 'during', hash_key_id: 'k', created_at: 1 };
        await tx.insertInto('workspaces').values(row).execute();
        truncateSync(`${file}-wal`, bytes);
      });
      const [error, later] = await Promise.all([errorOf(write), errorOf(addWorkspace('later'))]);
      expect(String(error)).toMatch(/branchline\.db-wal was emptied or cut short/);
      expect([isUnavailable(error), isUnavailable(later)]).toEqual([true, true]);
      expect(String(await storage.lost)).toBe(String(error));
    },
  );

  it('and has the first byte of what was to be written to it, for want of room, is none that was lost', async () => {
    checkpoint();
    expect(statSync(`${file}-wal`).size).toBe(0);
    writeFileSync(`${file}-wal`, Uint8Array.of(0x37));
    look();
    await addWorkspace('later');
  });

  it('is not said to be where only its index is overwritten', async () => {
    const descriptor = openSync(`${file}-shm`, 'r+');
    writeSync(descriptor, Buffer.alloc(96, 0xa5), 0, 96, 0);
    closeSync(descriptor);
    look();
    await addWorkspace('later');
    look();
  });

  it('by a checkpoint is none that was lost', async () => {
    checkpoint();
    look();
    await addWorkspace('later');
  });

  it('by another process, again and again, is none that was lost', async () => {
    const emptying = `
      const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)}, { timeout: 5_000 });
      for (let round = 0; round < 500; round += 1) {
        database.exec("update workspaces set created_at = created_at + 1 where workspace_id = 'before'");
        database.exec('pragma wal_checkpoint(truncate)');
      }`;
    const ended = promisify(execFile)(process.execPath, ['--eval', emptying]);
    while (ended.child.exitCode === null) {
      look();
      await setImmediate();
    }
    await ended;
    await addWorkspace('later');
  });
});
