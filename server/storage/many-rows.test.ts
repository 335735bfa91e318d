import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManyRows } from './many-rows.ts';
import { openSqlite } from './sqlite/database.ts';
import type { Storage } from './storage.ts';

interface Seen {
  workspace_id: string;
  source: string;
  message_id: string;
  seen_at: number;
}

const remember = new ManyRows(['message_id', 'workspace_id', 'source', 'seen_at'], (db, rows: readonly Seen[]) =>
  db
    .insertInto('seen_messages')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('message_id'),
);

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

function seen(number: number): Seen {
  return { seen_at: number, source: `source ${number}`, workspace_id: 'demo', message_id: `message ${number}` };
}

test.each([0, 1, 2, 3, 511, 512, 513, 1_535])('%d rows are all written, and answered in their order', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => seen(index));
  const answered = await remember.execute(storage.db, rows);
  expect(answered).toEqual(rows.map(({ message_id }) => ({ message_id })));
  expect(await storage.db.selectFrom('seen_messages').selectAll().orderBy('seen_at').execute()).toEqual(rows);
});

test('a statement that was built before takes the values of other rows, whatever the order of their columns', async () => {
  await remember.execute(storage.db, [seen(1), seen(2)]);
  const { message_id, source, ...rest } = seen(3);
  const answered = await remember.execute(storage.db, [{ ...rest, message_id, source }, seen(2)]);
  expect(answered).toEqual([{ message_id: 'message 3' }]);
  const stored = await storage.db.selectFrom('seen_messages').selectAll().where('seen_at', '=', 3).execute();
  expect(stored).toEqual([seen(3)]);
});
