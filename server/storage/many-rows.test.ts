import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppVersionRow } from '../inspector/tables.ts';
import { ManyKeys } from './many-keys.ts';
import { ManyRows } from './many-rows.ts';
import { openSqlite } from './sqlite/database.ts';
import type { Storage } from './storage.ts';

const add = new ManyRows(['app_version', 'workspace_id', 'source', 'shapes'], (db, rows: readonly AppVersionRow[]) =>
  db
    .insertInto('app_versions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('app_version'),
);

const find = new ManyKeys<Pick<AppVersionRow, 'source' | 'app_version'>, AppVersionRow>('app_versions', [
  'source',
  'app_version',
]);

let folder = '';
let storage: Storage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-many-rows-'));
  storage = await openSqlite(join(folder, 'branchline.db'));
});

afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

function row(number: number, workspace_id = 'demo'): AppVersionRow {
  return { shapes: number, source: `source ${number}`, workspace_id, app_version: `version ${number}` };
}

const rows = (count: number): AppVersionRow[] => Array.from({ length: count }, (_, index) => row(index));

test.each([0, 1, 2, 3, 511, 512, 513, 1_535])('%d rows are all written, and answered in their order', async (count) => {
  const answered = await add.execute(storage.db, rows(count));
  expect(answered).toEqual(rows(count).map(({ app_version }) => ({ app_version })));
  expect(await storage.db.selectFrom('app_versions').selectAll().orderBy('shapes').execute()).toEqual(rows(count));
});

test('a statement that was built before takes the values of other rows, whatever the order of their columns', async () => {
  await add.execute(storage.db, [row(1), row(2)]);
  const { app_version, source, ...rest } = row(3);
  const answered = await add.execute(storage.db, [{ ...rest, app_version, source }, row(2)]);
  expect(answered).toEqual([{ app_version: 'version 3' }]);
  const stored = await storage.db.selectFrom('app_versions').selectAll().where('shapes', '=', 3).execute();
  expect(stored).toEqual([row(3)]);
});

test.each([0, 1, 3, 600])('%d keys are all looked up, in the workspace that is named', async (count) => {
  await add.execute(storage.db, [...rows(700), ...rows(700).map((one) => ({ ...one, workspace_id: 'other' }))]);
  const keys = rows(count).map(({ app_version, source }) => ({ app_version, source }));
  const found = await find.execute(storage.db, 'other', keys);
  expect(found.toSorted((a, b) => a.shapes - b.shapes)).toEqual(
    rows(count).map((one) => ({ ...one, workspace_id: 'other' })),
  );
});
