// @module-tag both-engines
import { sql } from 'kysely';
import { expect } from 'vitest';
import { ofTest } from './testing/statements-of-tests.ts';
import { test } from '../branches/testing/database.ts';
import { NotWanted, workFor } from './holder.ts';

const gone = () => false;

test('nothing is read for a client that has gone', async ({ storage }) => {
  const { db } = ofTest(storage);
  const read = () => db.selectFrom('workspaces').selectAll().execute();
  const readText = () => sql`select 1`.execute(db);
  await expect(workFor('demo', read, gone)).rejects.toThrow(NotWanted);
  await expect(workFor('demo', readText, gone)).rejects.toThrow(NotWanted);
  expect(await workFor('demo', read, () => true)).toHaveLength(2);
  // Work for others that its request has come upon is done all the same.
  expect(await workFor('demo', () => workFor('other', read), gone)).toHaveLength(2);
});

test('what is written for it is written whole', async ({ storage }) => {
  const row = { workspace_id: 'late', hash_key_id: 'k', created_at: 1 };
  const write = () =>
    ofTest(storage).write(async (tx) => {
      await tx.selectFrom('workspaces').selectAll().execute();
      await tx.insertInto('workspaces').values(row).execute();
    });
  await workFor('late', write, gone);
  const found = await ofTest(storage).db.selectFrom('workspaces').select('workspace_id').execute();
  expect(found).toContainEqual({ workspace_id: 'late' });
});
