import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '@branchline/command-line';
import { isUnavailable } from '../transient-errors.ts';
import { openSqlite } from './database.ts';
import { explainFailure } from './health.ts';
import { STREAM_CHUNK_ROWS, type Storage } from '../storage.ts';

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

const row = (id: string) => ({ workspace_id: id, hash_key_id: 'k', created_at: 1 });

const addWorkspace = (storage: Storage, id: string) => storage.db.insertInto('workspaces').values(row(id)).execute();

const countWorkspaces = async (storage: Storage) =>
  (await storage.db.selectFrom('workspaces').selectAll().execute()).length;

describe('the embedded database', () => {
  it('is made on first use, in a folder that need not be there, and keeps what it is given', async () => {
    await addWorkspace(await open(), 'a');
    await opened.pop()?.close();
    expect(existsSync(file)).toBe(true);
    expect(await countWorkspaces(await open())).toBe(1);
  });

  it('and its folder are for their owner only', async () => {
    await open();
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect([modeOf(join(file, '..')), modeOf(file), modeOf(`${file}-wal`)]).toEqual(['700', '600', '600']);
  });

  it('warns of what other users may open, of itself and beside it, and of nothing where it made the files', async () => {
    expect((await open()).notices).toEqual([]);
    await opened.pop()?.close();
    chmodSync(file, 0o644);
    writeFileSync(`${file}.key`, 'a key', { mode: 0o640 });
    expect((await open()).notices).toEqual([expect.stringMatching(/Other users .* open (\S+), .*: chmod 600 \1$/)]);
    await opened.pop()?.close();
    chmodSync(`${file}.key`, 0o604);
    expect((await open()).notices).toEqual([expect.stringContaining(`chmod 600 ${file} ${file}`)]);
  });

  it('warns of no device, and is opened beside links that lead to each other', async () => {
    await open();
    await opened.pop()?.close();
    symlinkSync('/dev/zero', `${file}.tls.pem`);
    expect((await open()).notices).toEqual([]);
    await opened.pop()?.close();
    rmSync(`${file}.tls.pem`);
    symlinkSync(`${file}.tls.pem`, `${file}.tls.pem`);
    expect((await open()).notices).toEqual([]);
  });

  it('is opened by no second name of the same file, in whatever folder, also while it is in use by the first', async () => {
    const storage = await open();
    const link = join(folder, 'elsewhere', 'other.db');
    mkdirSync(join(folder, 'elsewhere'));
    linkSync(file, link);
    await expect(openSqlite(link)).rejects.toThrow(/has 2 names \(hard links\)/);
    await expect(openSqlite(link)).rejects.toThrow(UserError);
    await addWorkspace(storage, 'a');
    await opened.pop()?.close();
    await expect(openSqlite(file)).rejects.toThrow(/has 2 names/);
    rmSync(link);
    expect(await countWorkspaces(await open())).toBe(1);
  });

  it('is refused with a sentence when it is no database', async () => {
    file = join(folder, 'notes.txt');
    writeFileSync(file, 'These are notes, not a database. '.repeat(100));
    await expect(openSqlite(file)).rejects.toThrow(UserError);
    await expect(openSqlite(file)).rejects.toThrow(/can't be opened.*--database/);
  });
});

describe('beside another process', () => {
  it('a write that waits for its lock holds no read back, and succeeds once it is free', async () => {
    const storage = await open();
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    let written = false;
    const writing = storage
      .write((transaction) => transaction.insertInto('workspaces').values(row('patient')).execute())
      .then(() => (written = true));
    expect(await countWorkspaces(storage)).toBe(0);
    expect(written).toBe(false);
    other.exec('rollback');
    await writing;
    expect(await countWorkspaces(storage)).toBe(1);
    other.close();
  });

  it('those that wait for it give up together, not one after the other', async () => {
    const storage = await open();
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const began = performance.now();
    const ends: number[] = [];
    const writes = Array.from({ length: 3 }, (_, i) =>
      storage
        .write((transaction) =>
          transaction
            .insertInto('workspaces')
            .values(row(`late-${i}`))
            .execute(),
        )
        .finally(() => ends.push(performance.now() - began)),
    );
    const outcomes = await Promise.allSettled(writes);
    const [first = 0, , last = 0] = ends;
    expect(last, 'three times as long, one after the other').toBeLessThan(2 * first);
    for (const outcome of outcomes) expect(isUnavailable('reason' in outcome ? outcome.reason : undefined)).toBe(true);
    other.close();
  });
});

it('a full disk is said to be one, although SQLite has rolled back by itself', async () => {
  const storage = await open();
  const filling = storage.write(async (transaction) => {
    await sql`pragma max_page_count = 60`.execute(transaction);
    const rows = Array.from({ length: 5_000 }, (_, i) => row(`w-${i}-${'x'.repeat(100)}`));
    for (let from = 0; from < rows.length; from += 1_000) {
      await transaction
        .insertInto('workspaces')
        .values(rows.slice(from, from + 1_000))
        .execute();
    }
  });
  const error: unknown = await filling.catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('full');
  expect(isUnavailable(error)).toBe(true);
  // As the command line says it.
  const explained: unknown = await explainFailure('b.db', () => filling).catch((thrown: unknown) => thrown);
  expect(explained).toBeInstanceOf(UserError);
  expect(String(explained)).toMatch(/The database failed: .*full.*\. Mend that, and try again\.$/);
});

it('is opened while another program writes to it for long, and who wants to write too is told to wait', async () => {
  await (await open()).close();
  const writing = new DatabaseSync(file);
  writing.exec('begin immediate');
  await open();
  const impatient = new DatabaseSync(file, { timeout: 0 });
  const refused = explainFailure(file, async () => impatient.exec('begin immediate'));
  await expect(refused).rejects.toThrow(/locked\. Another command or program is writing to it: try again when/);
  impatient.close();
  writing.close();
});

describe('a streamed query', () => {
  const allWorkspaces = (storage: Storage) =>
    storage.stream((db) => db.selectFrom('workspaces').selectAll().orderBy('workspace_id'), 'w');

  async function fill(storage: Storage, count: number) {
    const rows = Array.from({ length: count }, (_, index) => ({
      workspace_id: `w-${index}`,
      hash_key_id: 'k',
      created_at: 1,
    }));
    await storage.db.insertInto('workspaces').values(rows).execute();
  }

  it('comes in chunks of a bounded size, and frees its snapshot when it is left', async () => {
    const storage = await open();
    await fill(storage, STREAM_CHUNK_ROWS * 2);
    for await (const chunk of allWorkspaces(storage)) {
      // As many as are read in one turn, which is a matter of time.
      expect(chunk.length).toBeLessThanOrEqual(STREAM_CHUNK_ROWS);
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

it('its log is written back and begins anew while one transaction follows the other, and nothing is left of it', async () => {
  const storage = await open();
  const large = 'x'.repeat(1_048_576);
  let longest = 0;
  for (let index = 0; index < 150; index += 1) {
    await storage.write((tx) =>
      tx
        .insertInto('workspaces')
        .values(row(`${index}-${large}`))
        .execute(),
    );
    longest = Math.max(longest, statSync(`${file}-wal`).size);
  }
  // Each is 2 MiB: in the table, and in its index.
  expect(longest).toBeLessThan(200 * 1_048_576);
  await opened.pop()?.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(await countWorkspaces(await open())).toBe(150);
});

it('the log of a database that was replaced is not written into the new one', async () => {
  const storage = await open();
  await storage.close();
  const healthy = join(folder, 'healthy.db');
  copyFileSync(file, healthy);
  const replaced = await openSqlite(file);
  await replaced.write((tx) =>
    tx.insertInto('workspaces').values({ workspace_id: 'late', hash_key_id: 'k', created_at: 1 }).execute(),
  );
  renameSync(healthy, file);
  await expect(replaced.ping()).rejects.toThrow('was replaced');
  await replaced.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(existsSync(`${file}-wal.lost`)).toBe(true);
  const refusal = /-wal\.lost holds what was stored last.*move .* to another folder/;
  await expect(openSqlite(file)).rejects.toThrow(refusal);
  for (const damaged of ['', '{"size":', 'null', '[]']) {
    writeFileSync(`${file}-wal.lost.json`, damaged);
    await expect(openSqlite(file)).rejects.toThrow(refusal);
  }
  renameSync(`${file}-wal.lost`, join(folder, 'old'));
  const fresh = await open();
  expect(await fresh.db.selectFrom('workspaces').selectAll().execute()).toEqual([]);
});

describe('a database whose file was moved away, with a link put in its place', () => {
  const moved = () => join(folder, 'moved.db');
  const moveAndLink = () => {
    renameSync(file, moved());
    symlinkSync(moved(), file);
  };
  it('while it was in use takes no more writes, and has all that was stored when it is opened by the link', async () => {
    const storage = await open();
    const add = (id: string) => storage.write((tx) => tx.insertInto('workspaces').values(row(id)).execute());
    await add('before');
    moveAndLink();
    await expect(add('after')).rejects.toThrow('was moved while it was in use');
    await opened.pop()?.close();
    expect(existsSync(`${file}-wal.lost`)).toBe(false);
    expect(await countWorkspaces(await open())).toBe(1);
  });

  it('after a crash is not opened by the link, and its log is left as it is', async () => {
    const storage = await open();
    await storage.write((tx) => tx.insertInto('workspaces').values(row('late')).execute());
    const left = readFileSync(`${file}-wal`);
    await opened.pop()?.close();
    moveAndLink();
    writeFileSync(`${file}-wal`, left);
    await expect(openSqlite(file)).rejects.toThrow(/branchline\.db-wal holds what was stored last.*move it back to/);
    expect(readFileSync(`${file}-wal`)).toEqual(left);
  });

  it('is opened by it where no log is left behind', async () => {
    await addWorkspace(await open(), 'a');
    await opened.pop()?.close();
    moveAndLink();
    expect(await countWorkspaces(await open())).toBe(1);
  });
});
