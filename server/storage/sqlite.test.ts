import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../user-error.ts';
import { lockForServing } from './server-lock.ts';
import { openSqlite } from './sqlite.ts';
import { STREAM_CHUNK_ROWS, type Storage } from './storage.ts';

let folder: string;
let file: string;
const opened: Storage[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-sqlite-'));
  file = join(folder, 'nested', 'branchline.db');
});

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  rmSync(folder, { recursive: true });
});

async function open(): Promise<Storage> {
  const storage = await openSqlite(file);
  opened.push(storage);
  return storage;
}

const addWorkspace = (storage: Storage, id: string) =>
  storage.db.insertInto('workspaces').values({ workspace_id: id, created_at: 1 }).execute();

const countWorkspaces = async (storage: Storage) =>
  (await storage.db.selectFrom('workspaces').selectAll().execute()).length;

describe('the embedded database', () => {
  it('is made on first use, in a folder that need not be there, and keeps what it is given', async () => {
    await addWorkspace(await open(), 'a');
    await opened.pop()?.close();
    expect(existsSync(file)).toBe(true);
    expect(await countWorkspaces(await open())).toBe(1);
  });

  it('may be opened, and so migrated, by several at once', async () => {
    const storages = await Promise.all([open(), open(), open()]);
    for (const storage of storages) expect(await countWorkspaces(storage)).toBe(0);
  });

  it('is refused, unchanged, when a newer version has migrated it', async () => {
    const storage = await open();
    await storage.db
      .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
      .insertInto('kysely_migration')
      .values({ name: '9999_tomorrow', timestamp: '2030-01-01' })
      .execute();
    await expect(openSqlite(file)).rejects.toThrow(
      /belongs to a newer Branchline.*9999_tomorrow.*Start the newer version/,
    );
  });

  it('is refused with a sentence when it is no database', async () => {
    file = join(folder, 'notes.txt');
    writeFileSync(file, 'These are notes, not a database. '.repeat(100));
    await expect(openSqlite(file)).rejects.toThrow(UserError);
    await expect(openSqlite(file)).rejects.toThrow(/can't be opened.*--database/);
  });

  it('undoes what a failed transaction has written', async () => {
    const storage = await open();
    const failing = storage.write(async (transaction) => {
      await transaction.insertInto('workspaces').values({ workspace_id: 'half', created_at: 1 }).execute();
      throw new Error('and now it fails');
    });
    await expect(failing).rejects.toThrow('and now it fails');
    expect(await countWorkspaces(storage)).toBe(0);
  });

  it('begins each primary key and unique index with workspace_id', async () => {
    const { db } = await open();
    const tables = await db
      .withTables<{ sqlite_schema: { type: string; name: string } }>()
      .selectFrom('sqlite_schema')
      .select('name')
      .where('type', '=', 'table')
      .where('name', 'not like', 'sqlite_%')
      .where('name', 'not like', 'kysely_%')
      .execute();
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables) {
      const { rows } = await db.executeQuery<{ index: string; column: string }>({
        ...db.selectNoFrom([]).compile(),
        sql: `select l.name as "index", i.name as "column" from pragma_index_list(?) l, pragma_index_info(l.name) i where l."unique" = 1 and i.seqno = 0`,
        parameters: [name],
      });
      expect(rows.length, name).toBeGreaterThan(0);
      for (const { index, column } of rows) expect(column, index).toBe('workspace_id');
    }
  });
});

describe('a streamed query', () => {
  const allWorkspaces = (storage: Storage) =>
    storage.stream((db) => db.selectFrom('workspaces').selectAll().orderBy('workspace_id'));

  async function fill(storage: Storage, count: number) {
    const rows = Array.from({ length: count }, (_, index) => ({ workspace_id: `w-${index}`, created_at: 1 }));
    await storage.db.insertInto('workspaces').values(rows).execute();
  }

  it('sees one snapshot, whatever is written while it is read, and holds no writer back', async () => {
    const storage = await open();
    await fill(storage, STREAM_CHUNK_ROWS * 3);
    let seen = 0;
    for await (const chunk of allWorkspaces(storage)) {
      seen += chunk.length;
      await addWorkspace(storage, `z-late-${seen}`);
    }
    expect(seen).toBe(STREAM_CHUNK_ROWS * 3);
    expect(await countWorkspaces(storage)).toBe(STREAM_CHUNK_ROWS * 3 + 3);
  });

  it('comes in chunks of a bounded size, and frees its snapshot when it is left', async () => {
    const storage = await open();
    await fill(storage, STREAM_CHUNK_ROWS * 2);
    for await (const chunk of allWorkspaces(storage)) {
      expect(chunk).toHaveLength(STREAM_CHUNK_ROWS);
      break;
    }
    // A checkpoint that truncates succeeds only when no snapshot is held.
    const { rows } = await storage.db.executeQuery<{ busy: number }>({
      ...storage.db.selectNoFrom([]).compile(),
      sql: 'pragma wal_checkpoint(truncate)',
      parameters: [],
    });
    expect(rows[0]?.busy).toBe(0);
  });
});

describe('the lock for serving', () => {
  it('lets one server at a time have a database', () => {
    const unlock = lockForServing(file);
    expect(() => lockForServing(file)).toThrow(/Another Branchline server is using/);
    unlock();
    lockForServing(file)();
  });
});
