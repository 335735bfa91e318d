import { execFile } from 'node:child_process';
import { closeSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { isUnavailable } from '../transient-errors.ts';
import { errorOf } from '../testing/error-of.ts';
import { WatchedFile } from './testing/watched-file.ts';

let watched: WatchedFile;
let file: string;
let storage: Storage;

beforeEach(async () => {
  watched = await WatchedFile.open();
  ({ file, storage } = watched);
});

afterEach(() => watched.remove());

describe('a log that is emptied', () => {
  beforeEach(() => watched.addWorkspace('before'));

  it('with what was stored in it ends the writes, and is noticed', async () => {
    truncateSync(`${file}-wal`);
    watched.look();
    expect(String(await storage.lost)).toMatch(/branchline\.db-wal was emptied or cut short/);
    expect(isUnavailable(await errorOf(watched.addWorkspace('later')))).toBe(true);
  });

  it('is noticed although it was written to since', async () => {
    truncateSync(`${file}-wal`);
    truncateSync(`${file}-wal`, 100_000);
    await expect(storage.ping()).rejects.toThrow(/branchline\.db-wal was emptied/);
  });

  it('or cut short is noticed', async () => {
    for (let index = 0; index < 20; index += 1) await watched.addWorkspace(`more-${index}`);
    truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 100);
    await expect(storage.ping()).rejects.toThrow(/branchline\.db-wal was emptied or cut short/);
  });

  // What a write under way writes after that makes the log as long as its index says.
  it.each([0, 31, 4_100, 40_000, 80_000])(
    'or cut to %i bytes under a write is noticed before that is answered',
    async (bytes) => {
      for (let index = 0; index < 20; index += 1) await watched.addWorkspace(`more-${index}`);
      const write = storage.write(async (tx) => {
        const row = { workspace_id: 'during', hash_key_id: 'k', created_at: 1 };
        await tx.insertInto('workspaces').values(row).execute();
        truncateSync(`${file}-wal`, bytes);
      });
      const [error, later] = await Promise.all([errorOf(write), errorOf(watched.addWorkspace('later'))]);
      expect(String(error)).toMatch(/branchline\.db-wal was emptied or cut short/);
      expect([isUnavailable(error), isUnavailable(later)]).toEqual([true, true]);
      expect(String(await storage.lost)).toBe(String(error));
    },
  );

  it('and has the first byte of what was to be written to it, for want of room, is none that was lost', async () => {
    watched.checkpoint();
    expect(statSync(`${file}-wal`).size).toBe(0);
    writeFileSync(`${file}-wal`, Uint8Array.of(0x37));
    watched.look();
    await watched.addWorkspace('later');
  });

  it('is not said to be where only its index is overwritten', async () => {
    const descriptor = openSync(`${file}-shm`, 'r+');
    writeSync(descriptor, Buffer.alloc(96, 0xa5), 0, 96, 0);
    closeSync(descriptor);
    watched.look();
    await watched.addWorkspace('later');
    watched.look();
  });

  it('by a checkpoint is none that was lost', async () => {
    watched.checkpoint();
    watched.look();
    await watched.addWorkspace('later');
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
      watched.look();
      await setImmediate();
    }
    await ended;
    await watched.addWorkspace('later');
  });
});
