import { copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UserError } from '@branchline/command-line';
import { openSqlite } from './database.ts';
import { WatchedFile } from './testing/watched-file.ts';

let before: WatchedFile;
let restored: WatchedFile;

beforeEach(async () => {
  before = await WatchedFile.open();
  restored = await WatchedFile.open();
  await restored.storage.close();
});
afterEach(async () => {
  await before.remove();
  await restored.remove();
});

async function addWorkspaces(from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) await before.addWorkspace(`${number}-${'x'.repeat(1_000)}`);
}

/** Puts these in the places of the files, the log as it was left a minute ago. */
function putInPlace(file: Buffer, log: Buffer): void {
  writeFileSync(restored.file, file);
  writeFileSync(`${restored.file}-wal`, log);
  const aMinuteAgo = Date.now() / 1_000 - 60;
  utimesSync(`${restored.file}-wal`, aMinuteAgo, aMinuteAgo);
}

it('a backup that is put over a database whose log lies beside it is refused, and nothing is changed', async () => {
  await addWorkspaces(0, 50);
  before.checkpoint();
  const backup = readFileSync(before.file);
  await addWorkspaces(50, 300);
  before.checkpoint();
  await addWorkspaces(300, 310);
  const log = readFileSync(`${before.file}-wal`);
  putInPlace(backup, log);
  const opening = openSqlite(restored.file);
  await expect(opening).rejects.toThrow(UserError);
  await expect(opening).rejects.toThrow(
    /was written after its log .*do not belong together .*move .*-wal and .*-shm to another folder/,
  );
  expect([readFileSync(restored.file), readFileSync(`${restored.file}-wal`)]).toEqual([backup, log]);
});

it('a log whose pages are in the file already, as a crash after a checkpoint leaves it, is none of another', async () => {
  await addWorkspaces(0, 50);
  const log = readFileSync(`${before.file}-wal`);
  before.checkpoint();
  putInPlace(readFileSync(before.file), log);
  const again = await openSqlite(restored.file);
  expect(await again.db.selectFrom('workspaces').selectAll().execute()).toHaveLength(50);
  await again.close();
});

it('a backup without the log of the one before is opened', async () => {
  await addWorkspaces(0, 50);
  before.checkpoint();
  copyFileSync(before.file, restored.file);
  const again = await openSqlite(restored.file);
  expect(await again.db.selectFrom('workspaces').selectAll().execute()).toHaveLength(50);
  await again.close();
});
