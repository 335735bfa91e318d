import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Storage } from '../storage.ts';
import { openSqlite } from './database.ts';

const TABLES = ['seen_messages_0', 'seen_messages_1'] as const;
const ROWS = 12_000;

let folder: string;
let storage: Storage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-empty-'));
  storage = await openSqlite(join(folder, 'x.db'));
  const rows = Array.from({ length: ROWS }, (_, number) => ({
    workspace_id: `w${number % 7}`,
    source_number: number % 5,
    message_id: Buffer.from(`${number}`.padStart(16, '0')),
  }));
  for (const table of TABLES) {
    for (let from = 0; from < ROWS; from += 1_000) {
      await storage.write((tx) =>
        tx
          .insertInto(table)
          .values(rows.slice(from, from + 1_000))
          .execute(),
      );
    }
  }
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

async function count(table: (typeof TABLES)[number]): Promise<number> {
  const { rows } = await storage.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}

it('empties a table of any size in transactions of 5,000 rows at most, and no other table', async () => {
  let left = ROWS;
  for await (const _ of storage.empty(TABLES[0])) {
    const now = await count(TABLES[0]);
    expect(left - now).toBeLessThanOrEqual(5_000);
    left = now;
  }
  expect([left, await count(TABLES[1])]).toEqual([0, ROWS]);
});
