// @module-tag both-engines
import { expect } from 'vitest';
import { takeSteps } from '../maintenance/steps.ts';
import { test } from '../maintenance/testing/stage.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { expiryTask } from './expired.ts';

test('sessions and links go once they have run out, of all workspaces, 1,000 rows at a time', async ({
  storage,
  time,
}) => {
  const { db } = ofTest(storage);
  const at = (workspace: string, index: number, expiresAt: number) => ({
    workspace_id: workspace,
    user_id: 'u',
    expires_at: expiresAt,
    key: `${expiresAt}-${index}`,
  });
  const rows = [
    ...Array.from({ length: 1_500 }, (_, index) => at('shop', index, time.now - index)),
    ...['shop', 'bank'].flatMap((workspace) => [at(workspace, 0, time.now - 5_000), at(workspace, 0, time.now + 1)]),
  ];
  for (let begin = 0; begin < rows.length; begin += 500) {
    const some = rows.slice(begin, begin + 500);
    const sessions = some.map(({ key, ...row }) => ({
      ...row,
      session_hash: key,
      created_at: 1,
      last_used_at: time.now,
    }));
    await db.insertInto('sessions').values(sessions).execute();
    await db
      .insertInto('sign_in_links')
      .values(some.map(({ key, ...row }) => ({ ...row, token_hash: key, role: null })))
      .execute();
  }
  let steps = 0;
  const pace = { now: () => 0, pause: async () => void (steps += 1) };
  const task = expiryTask(storage, () => time.now);
  await takeSteps(task.steps(), { pace, signal: new AbortController().signal });
  expect(steps).toBe(2);
  for (const table of ['sessions', 'sign_in_links'] as const) {
    const left = await db.selectFrom(table).select(['workspace_id', 'expires_at']).orderBy('workspace_id').execute();
    expect(left).toEqual(['bank', 'shop'].map((workspace) => ({ workspace_id: workspace, expires_at: time.now + 1 })));
  }
});

test('a session goes once it was not used for 7 days, as it lets nobody in from then on', async ({ storage, time }) => {
  const { db } = ofTest(storage);
  const dayMs = 86_400_000;
  const lastUsed = { idle: time.now - 7 * dayMs, used: time.now - 7 * dayMs + 1 };
  const sessions = Object.entries(lastUsed).map(([session_hash, last_used_at]) => ({
    workspace_id: 'shop',
    user_id: 'u',
    session_hash,
    created_at: last_used_at,
    last_used_at,
    expires_at: last_used_at + 30 * dayMs,
  }));
  await db.insertInto('sessions').values(sessions).execute();
  await Array.fromAsync(expiryTask(storage, () => time.now).steps());
  const left = await db.selectFrom('sessions').select('session_hash').execute();
  expect(left).toEqual([{ session_hash: 'used' }]);
});
