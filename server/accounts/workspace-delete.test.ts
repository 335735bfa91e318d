// @module-tag both-engines
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { branchStore } from '../branches/store.ts';
import { ACTOR, idAt } from '../branches/testing/branches.ts';
import { test } from '../maintenance/testing/stage.ts';
import type { Storage } from '../storage/storage.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../storage/testing/workspaces.ts';
import { Workspaces } from './workspaces.ts';

async function addMessages(storage: Storage, workspaceId: string, count: number): Promise<void> {
  const row = () => ({ workspace_id: workspaceId, source_number: 1, message_id: randomBytes(16) });
  await ofTest(storage).write((tx) =>
    tx
      .insertInto('seen_messages_0')
      .values(Array.from({ length: count }, row))
      .execute(),
  );
}

async function countMessages(storage: Storage, workspaceId: string): Promise<number> {
  const { count } = await ofTest(storage)
    .db.selectFrom('seen_messages_0')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return count;
}

test('while a workspace is deleted, others write after each of its steps, which begin small and have 1,000 rows at most', async ({
  storage,
}) => {
  await addWorkspaces(storage, 'big', 'other');
  for (let times = 0; times < 5; times += 1) await addMessages(storage, 'big', 1_000);
  const store = branchStore(storage);
  const left: number[] = [];
  const pause = async () => {
    const at = left.length + 1;
    const created = store.create({ workspaceId: 'other', branchId: idAt(at), name: `b-${at}`, actor: ACTOR, at });
    expect(await created).toBeDefined();
    left.push(await countMessages(storage, 'big'));
  };
  await new Workspaces(storage, Date.now, 'k').delete('big', { pace: { now: () => 0, pause } });
  const seen = [...new Set(left)];
  expect([seen[0], seen[1], seen.at(-1)]).toEqual([5_000, 4_990, 0]);
  const steps = seen.slice(1).map((rows, at) => (seen[at] ?? 0) - rows);
  expect(Math.max(...steps)).toBeLessThanOrEqual(1_000);
});
