import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { emptyingWorkspaces, endWorkspace } from '../../accounts/workspace-end.ts';
import { openStorage } from '../open.ts';
import { newDatabase } from '../testing/databases.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { addWorkspaces } from '../testing/workspaces.ts';

/** As `requireLiveWorkspace` does it, but between reading the row and locking it whoever asks waits for a lock of ours. */
const STALE_READ = sql<object>`
  select 1 as live from workspaces
  where workspace_id = 'demo' and deleted_at is null and pg_advisory_xact_lock_shared(1) is not null
  for key share`;

const WAITING = sql`select from pg_locks where locktype = 'advisory' and not granted /* a test */`;

it('a workspace that was read just before it ended, and is locked long after, is found to have ended', async () => {
  const database = await newDatabase();
  const storage = await openStorage(database.location);
  await addWorkspaces(storage, 'demo');
  const { read } = await storage.write(async (tx) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(tx);
    const stale = storage.write((other) => STALE_READ.execute(other));
    await expect.poll(async () => (await WAITING.execute(tx)).rows).toHaveLength(1);
    await endWorkspace(storage, 'demo', 1);
    const steps = emptyingWorkspaces(storage, () => 2).steps();
    await Array.fromAsync(steps);
    return { read: stale };
  });
  expect((await read).rows).toEqual([]);
  await storage.close();
  await database.remove();
});

it('a workspace that is emptied leaves nothing of what servers told each other about it', async () => {
  const database = await newDatabase();
  const storage = await openStorage(database.location);
  await addWorkspaces(storage, 'demo', 'other');
  for (const workspaceId of ['demo', 'other']) await storage.messages?.send(workspaceId, 'a batch');
  await endWorkspace(storage, 'demo', 1);
  await Array.fromAsync(emptyingWorkspaces(storage, () => 2).steps());
  const left = ofTest(storage).db.selectFrom('live_messages').select('workspace_id');
  expect(await left.execute()).toEqual([{ workspace_id: 'other' }]);
  await storage.close();
  await database.remove();
});
