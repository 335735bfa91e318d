import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workFor } from '../holder.ts';
import type { Storage } from '../storage.ts';
import { openSqlite } from './database.ts';
import { RoomToGrow } from './room-to-grow.ts';

let folder: string;
let file: string;
let storage: Storage;
let now = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-room-'));
  file = join(folder, 'branchline.db');
  storage = await openSqlite(file, { now: () => now });
});

afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

/** How many pages the database may have at most, as if its disk had no room for more; it has some already. */
const allowPages = (pages: number) =>
  storage.write((tx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx)).then(() => {});

const addWorkspace = (id: string) =>
  storage.write((tx) =>
    tx.insertInto('workspaces').values({ workspace_id: id, hash_key_id: 'k', created_at: 1 }).execute(),
  );

const changeForRequest = (id: string) => workFor('a workspace', () => addWorkspace(id));

async function failForWantOfRoom(): Promise<void> {
  await storage.ping();
  await allowPages(1);
  await expect(changeForRequest('x'.repeat(100_000))).rejects.toThrow('full');
}

const NOT_READY = /The database can't grow: .*\(database or disk is full\)/;

describe('after a write that found no room', () => {
  beforeEach(failForWantOfRoom);

  it('the database is not ready, however long it is ago', async () => {
    for (const later of [0, 1, 5_000, 3_600_000]) {
      now += later;
      await expect(storage.ping()).rejects.toThrow(NOT_READY);
    }
  });

  it('what writes nothing does not prove that there is room, nor what is done for nobody', async () => {
    await workFor('a workspace', () => storage.write((tx) => tx.selectFrom('workspaces').selectAll().execute()));
    await workFor('a workspace', () => storage.write((tx) => tx.deleteFrom('workspaces').execute()));
    await addWorkspace('fits into a page');
    await expect(storage.ping()).rejects.toThrow(NOT_READY);
  });

  it('a request that could write makes it ready at once', async () => {
    await expect(storage.ping()).rejects.toThrow(NOT_READY);
    await changeForRequest('fits');
    await storage.ping();
  });

  it('a check finds out by itself that there is room, but tries only once a second', async () => {
    await expect(storage.ping()).rejects.toThrow(NOT_READY);
    await allowPages(1_000_000);
    now += 999;
    await expect(storage.ping()).rejects.toThrow(NOT_READY);
    now += 1;
    await storage.ping();
  });

  it('checks that come together try once', async () => {
    await allowPages(1_000_000);
    const before = statSync(`${file}-wal`).size;
    await Promise.all(Array.from({ length: 5 }, () => storage.ping()));
    const pages = (statSync(`${file}-wal`).size - before) / 4_120;
    expect(pages).toBeGreaterThan(30);
    expect(pages).toBeLessThan(50);
  });

  it('a trial needs as much as a request, and leaves no row', async () => {
    const { rows } = await sql<{ pages: number }>`select page_count as pages from pragma_page_count`.execute(
      storage.db,
    );
    await allowPages((rows[0]?.pages ?? 0) + 12);
    await expect(storage.ping()).rejects.toThrow(NOT_READY);
    await allowPages(1_000_000);
    now += 1_000;
    await storage.ping();
    expect(await storage.db.selectFrom('maintenance').selectAll().execute()).toEqual([]);
  });
});

describe('what shares the disk', () => {
  it('gives way once to all writes that find no room, and none of them fails', async () => {
    const { rows } = await sql<{ pages: number }>`select page_count as pages from pragma_page_count`.execute(
      storage.db,
    );
    await allowPages(rows[0]?.pages ?? 0);
    let asked = 0;
    storage.scratchDisk.whenShort(async () => {
      asked += 1;
      await allowPages(1_000_000);
      return true;
    });
    await Promise.all(['a', 'b', 'c'].map((id) => changeForRequest(id.repeat(100_000))));
    await storage.ping();
    expect(asked).toBe(1);
  });

  it('is asked no second time by a write for which it made too little room', async () => {
    let asked = 0;
    storage.scratchDisk.whenShort(async () => {
      asked += 1;
      return true;
    });
    await allowPages(1);
    await expect(changeForRequest('x'.repeat(100_000))).rejects.toThrow('full');
    expect(asked).toBe(1);
    await expect(storage.ping()).rejects.toThrow(NOT_READY);
  });
});

describe('a file that could not grow', () => {
  const failWith = async (errcode: number) => {
    const room = new RoomToGrow();
    const error = Object.assign(new Error('of SQLite'), { errcode });
    const write = room.watch(() => Promise.reject(error));
    await expect(write(async () => {})).rejects.toBe(error);
    return room.shortage;
  };

  it.each([
    ['SQLITE_FULL', 13],
    ['SQLITE_IOERR_WRITE', 10 + 3 * 256],
    ['SQLITE_IOERR_FSYNC', 10 + 4 * 256],
    ['SQLITE_IOERR_TRUNCATE', 10 + 6 * 256],
    ['SQLITE_IOERR_SHMSIZE', 10 + 19 * 256],
    ['SQLITE_NOLFS', 22],
  ])('is %s', async (_name, code) => {
    expect(await failWith(code)).toBeInstanceOf(Error);
  });

  it.each([
    ['SQLITE_BUSY', 5],
    ['SQLITE_CONSTRAINT_UNIQUE', 19 + 8 * 256],
  ])('is not %s', async (_name, code) => {
    expect(await failWith(code)).toBeUndefined();
  });
});
