// @module-tag both-engines
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { isPostgres } from '../../storage/text-column.ts';
import type { SlotTable } from './message-slots.ts';
import { test } from '../testing/database.ts';

const MESSAGES = 20_000;

async function measureBytes({ db }: Storage, table: SlotTable): Promise<number> {
  const query = isPostgres(db)
    ? sql<{ bytes: number }>`select pg_total_relation_size(${table})::int as bytes /* a test */`
    : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`;
  return (await query.execute(db)).rows[0]?.bytes ?? 0;
}

async function remember(storage: Storage, table: SlotTable, ids: readonly Buffer[]): Promise<number> {
  const before = await measureBytes(storage, table);
  for (let from = 0; from < ids.length; from += 1_000) {
    const rows = ids
      .slice(from, from + 1_000)
      .map((message_id) => ({ workspace_id: 'demo', source_number: 1, message_id }));
    await ofTest(storage).write((tx) => tx.insertInto(table).values(rows).execute());
  }
  return ((await measureBytes(storage, table)) - before) / ids.length;
}

test('remembering a message takes as few bytes as operators are told, whatever the order of the ids', async ({
  storage,
}) => {
  const ordered = Array.from({ length: MESSAGES }, (_, index) => Buffer.from(`${index}`.padStart(16, '0')));
  const inNoOrder = ordered.map((id) => createHash('md5').update(id).digest());
  // "Room on the disk" of docs/operating.md.
  const told = isPostgres(storage.db) ? 125 : 32;
  expect(await remember(storage, 'seen_messages_0', ordered)).toBeLessThanOrEqual(told);
  expect(await remember(storage, 'seen_messages_1', inNoOrder)).toBeLessThanOrEqual(told);
});
