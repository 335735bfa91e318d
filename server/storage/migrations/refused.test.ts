// @module-tag both-engines
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DEFAULT_BUDGET } from '../../inspector/budget.ts';
import { inspectorBudget } from '../../inspector/reports/budget-report.ts';
import { openStorage } from '../open.ts';
import { newDatabase } from '../testing/databases.ts';
import { openAsBefore } from '../testing/open-as-before.ts';
import { ofTest } from '../testing/statements-of-tests.ts';

const KEYS = 105;

test('what refused events left behind goes, and nothing else', async () => {
  const { location, remove } = await newDatabase({ empty: true });
  const before = await openAsBefore(location, '0017');
  const keys = Array.from({ length: KEYS }, (_, index) => `('demo', 'key:gone-${index}', 0, 0, 0, 0, ${index + 1})`);
  for (const statement of [
    `insert into workspaces (workspace_id, hash_key_id, created_at) values ('demo', 'key', 1), ('other', 'key', 1)`,
    `insert into api_keys (workspace_id, key_id, source, secret_hash, sampling_rate, created_at)
      values ('demo', 'small', 'shop', 'hash', 1, 1)`,
    `insert into app_versions values ('demo', 'shop', '1.0', 3), ('other', 'shop', '2.0', 1)`,
    `insert into sources values ('demo', 'shop', 1), ('demo', 'refused', 2), ('other', 'shop', 1)`,
    `insert into issue_versions values ('demo', 'shop', 'prod', '1.0', 1, 2), ('demo', 'shop', 'dev', '1.0', 1, null),
      ('demo', 'shop', 'prod', '2.0', 3, 4), ('demo', 'refused', 'prod', '1.0', 5, 6),
      ('other', 'shop', 'staging', '2.0', 7, 8)`,
    `insert into inspector_usage values ('demo', 'workspace', 0, 0, 0, 0, 0), ('demo', 'source:shop', 1, 1, 1, 1, 900),
      ('demo', 'source:refused', 0, 0, 0, 0, 0), ('demo', 'key:new', 0, 0, 0, 0, 0), ('demo', 'key:small', 0, 0, 0, 0, 1),
      ${keys.join(', ')}`,
  ]) {
    await sql.raw(statement).execute(before);
  }
  await before.destroy();

  const storage = await openStorage(location);
  const { db } = ofTest(storage);
  expect(
    await db.selectFrom('issue_versions').selectAll().orderBy('first_seen').orderBy('environment').execute(),
  ).toEqual([
    { workspace_id: 'demo', source: 'shop', environment: 'dev', app_version: '1.0', first_seen: 1, due_at: null },
    { workspace_id: 'demo', source: 'shop', environment: 'prod', app_version: '1.0', first_seen: 1, due_at: 2 },
    { workspace_id: 'other', source: 'shop', environment: 'staging', app_version: '2.0', first_seen: 7, due_at: 8 },
  ]);
  const sources = await db.selectFrom('sources').select(['workspace_id', 'source']).orderBy('workspace_id').execute();
  expect(sources).toEqual([
    { workspace_id: 'demo', source: 'shop' },
    { workspace_id: 'other', source: 'shop' },
  ]);
  const usage = await db.selectFrom('inspector_usage').select('holder').execute();
  const holders = new Set(usage.map(({ holder }) => holder));
  expect(holders.size).toBe(2 + 1 + 100);
  for (const kept of ['workspace', 'source:shop', 'key:small', 'key:gone-5', `key:gone-${KEYS - 1}`]) {
    expect(holders).toContain(kept);
  }
  const { apiKeys } = await inspectorBudget(storage, 'demo', DEFAULT_BUDGET);
  expect(apiKeys.map(({ budget }) => budget.bytes.used)).toEqual(
    Array.from({ length: 100 }, (_, index) => KEYS - index),
  );
  await storage.close();
  await remove();
});
