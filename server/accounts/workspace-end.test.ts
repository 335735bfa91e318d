// @module-tag both-engines
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { branchStore } from '../branches/store.ts';
import { ACTOR, idAt } from '../branches/testing/branches.ts';
import { lookForSomeIssues } from '../inspector/issues/look-for-issues.ts';
import { settleCounts } from '../inspector/ingest/pending-counts.ts';
import { batch, event, eventWith, KEY, openIngest } from '../inspector/testing/batches.ts';
import { takeSteps } from '../maintenance/steps.ts';
import { openLeases, test } from '../maintenance/testing/stage.ts';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import type { Storage } from '../storage/storage.ts';
import { SLOT_TABLES } from '../inspector/ingest/message-slots.ts';
import { WORKSPACE_TABLES } from '../storage/tables.ts';
import { testedEngine } from '../storage/testing/databases.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../storage/testing/workspaces.ts';
import { Workspaces } from './workspaces.ts';
import { appendAuditLine } from './audit.ts';
import { markFinished } from './oidc/finished-sign-ins.ts';
import { emptyingWorkspaces, endWorkspace, isEmptied } from './workspace-end.ts';

/** How many rows a workspace has in each table where it has any. */
async function countRows({ db }: Storage, workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of WORKSPACE_TABLES) {
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    if (count > 0) counts[table] = count;
  }
  return counts;
}

/** Gives a workspace rows in every table, in some of them more than one step deletes. */
async function fill(storage: Storage, workspaceId: string): Promise<void> {
  const ingest = openIngest({ storage });
  const key = { ...KEY, workspaceId };
  await ingest.take(key, batch(Array.from({ length: 1_000 }, () => event())));
  await ingest.take(key, batch(Array.from({ length: 1_000 }, () => event({ eventName: 'Paid' }))));
  await ingest.take(key, batch(Array.from({ length: 500 }, (_, at) => eventWith(`property-${at}`))));
  await settleCounts(storage, workspaceId);
  await ingest.take(key, batch([eventWith('property-0', 'string')]));
  while (await lookForSomeIssues(storage, workspaceId));
  await ingest.take(key, batch([eventWith('property-0', 'float')]));
  const store = branchStore(storage);
  const ats = Array.from({ length: 1_001 }, (_, index) => index + 1);
  await Promise.all(
    ats.map((at) => store.create({ workspaceId, branchId: idAt(at), name: `b-${at}`, actor: ACTOR, at })),
  );
  const row = { workspace_id: workspaceId, secret_hash: 'h', created_at: 1 };
  const account = { ...row, email: 'a@b.example', scopes: '[]', rate_per_second: null, rate_enforcement: null };
  const { db } = ofTest(storage);
  await db
    .insertInto('service_accounts')
    .values(['a', 'b'].map((id) => ({ ...account, account_id: id, name: id })))
    .execute();
  await db
    .insertInto('api_keys')
    .values({ ...row, key_id: 'k', source: 's', sampling_rate: 1, batches: 0, libraries: '[]' })
    .execute();
  await fillWithPeople(ofTest(storage), workspaceId);
}

/** Whether a slow bucket had a token. */
async function takeOf(storage: Storage, workspaceId: string, holderId: string): Promise<boolean> {
  const key = { workspaceId, holderId, operation: 'a' };
  return (await storage.rateLimiter(() => 1_000).take(key, { perSecond: 0.00001 })).withinLimit;
}

async function fillWithPeople({ db }: Storage, workspaceId: string): Promise<void> {
  const workspace = { workspace_id: workspaceId };
  const email = 'a@b.example';
  await db
    .insertInto('users')
    .values({
      ...workspace,
      user_id: 'u',
      email,
      email_key: email,
      role: 'admin',
      password_hash: null,
      created_at: 1,
      last_sign_in_at: null,
    })
    .execute();
  await db
    .insertInto('sessions')
    .values({ ...workspace, session_hash: 'h', user_id: 'u', created_at: 1, last_used_at: 1, expires_at: 2 })
    .execute();
  await db
    .insertInto('sign_in_links')
    .values({ ...workspace, token_hash: 'h', user_id: 'u', role: 'admin', expires_at: 2 })
    .execute();
  await markFinished(db, workspaceId, 'state', 1);
  await appendAuditLine(db, { workspaceId, by: undefined, at: 1, act: 'userInvited', subject: email });
}

/** Takes steps of the emptying until there are none, or so many are taken. */
async function empty(storage: Storage, most = Number.POSITIVE_INFINITY): Promise<number[]> {
  const deleted: number[] = [];
  const stop = new AbortController();
  let steps = 0;
  const pause = async () => {
    steps += 1;
    if (steps === most) stop.abort();
  };
  const task = emptyingWorkspaces(
    storage,
    () => 5,
    (rows) => deleted.push(rows),
  );
  await takeSteps(task.steps(), { pace: { now: () => 0, pause }, signal: stop.signal });
  return deleted;
}

describe('a workspace that has ended', () => {
  test('is emptied in steps of 1,000 rows at most, and no other is touched', async ({ storage }) => {
    await addWorkspaces(storage, 'demo', 'other');
    await fill(storage, 'demo');
    await fill(storage, 'other');
    const before = await countRows(storage, 'other');
    // The events of the test were observed within the span of one table.
    const unused = WORKSPACE_TABLES.filter((table) => !(table in before));
    expect(unused.every((table) => table.startsWith('seen_messages_'))).toBe(true);
    expect(unused).toHaveLength(SLOT_TABLES.length - 1);
    await endWorkspace(storage, 'demo', 4);
    const deleted = await empty(storage);
    expect(Math.max(...deleted)).toBeLessThanOrEqual(1_000);
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).toBe(Object.values(before).reduce((sum, rows) => sum + rows));
    expect(await countRows(storage, 'demo')).toEqual({});
    expect(await countRows(storage, 'other')).toEqual(before);
    expect(await isEmptied(storage, 'demo')).toBe(true);
  });

  test('keeps its rows for a second, for those who read them then', async ({ storage }) => {
    await addWorkspaces(storage, 'demo');
    await fill(storage, 'demo');
    const before = await countRows(storage, 'demo');
    await endWorkspace(storage, 'demo', 4);
    const rests: unknown[] = [];
    const pause = async (milliseconds: number) => void rests.push([milliseconds, await countRows(storage, 'demo')]);
    const { signal } = new AbortController();
    await takeSteps(emptyingWorkspaces(storage, () => 5).steps(), { pace: { now: () => 0, pause }, signal });
    expect(rests[0]).toEqual([1_000, before]);
    expect(rests.at(-1)).toEqual([0, {}]);
  });

  test('is emptied to the end by the next who tries, wherever the last one was interrupted', async ({ storage }) => {
    await addWorkspaces(storage, 'demo');
    await fill(storage, 'demo');
    await endWorkspace(storage, 'demo', 4);
    for (let steps = 1; !(await isEmptied(storage, 'demo')); steps += 2) await empty(storage, steps);
    expect(await countRows(storage, 'demo')).toEqual({});
  });

  test('is looked through once where it has nothing, not table by table', async ({ storage }) => {
    await addWorkspaces(storage, 'demo');
    await endWorkspace(storage, 'demo', 4);
    expect(await empty(storage)).toEqual([]);
    expect(await isEmptied(storage, 'demo')).toBe(true);
  });

  // On SQLite a server has them in memory.
  if (testedEngine() === 'postgres')
    test('leaves no bucket of its rate limits in the database', async ({ storage }) => {
      await addWorkspaces(storage, 'demo', 'other');
      for (const workspace of ['demo', 'other']) expect(await takeOf(storage, workspace, 'a')).toBe(true);
      await endWorkspace(storage, 'demo', 4);
      await empty(storage);
      expect(await takeOf(storage, 'demo', 'a')).toBe(true);
      expect(await takeOf(storage, 'other', 'a')).toBe(false);
    });

  test('is emptied only after those have ended that wrote when it did', async ({ storage }) => {
    await addWorkspaces(storage, 'demo');
    const mayGoOn = Promise.withResolvers<void>();
    const writes = Promise.withResolvers<void>();
    const writer = storage.write(async (tx) => {
      await requireLiveWorkspace(tx, 'demo');
      writes.resolve();
      await mayGoOn.promise;
      const late = { workspace_id: 'demo', source: 's', app_version: '1', shapes: 1 };
      await tx.insertInto('app_versions').values(late).execute();
    });
    await writes.promise;
    const ended = endWorkspace(storage, 'demo', 4);
    const emptying = ended.then(() => empty(storage));
    // On SQLite the end itself waits. On PostgreSQL nobody but the emptying does: from now on all others are refused.
    if (testedEngine() === 'postgres') {
      await ended;
      await expect
        .poll(() => countWaiting(storage))
        .toBe(1)
        .finally(mayGoOn.resolve);
    }
    mayGoOn.resolve();
    await Promise.all([writer, emptying]);
    expect(await countRows(storage, 'demo')).toEqual({});
  });
});

/** How many statements wait for a lock. */
async function countWaiting(storage: Storage): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
  `.execute(ofTest(storage).db);
  return rows[0]?.count ?? 0;
}

describe('deleting a workspace', () => {
  test('waits while a server does it, and goes on when that one is gone', async ({ storage, time }) => {
    await addWorkspaces(storage, 'demo');
    await fill(storage, 'demo');
    await endWorkspace(storage, 'demo', 4);
    const server = await openLeases(storage, time).take('emptyWorkspaces', 'now');
    const said: (number | string)[] = [];
    let waited = 0;
    const pause = async (milliseconds: number) => {
      if (milliseconds !== 500) return;
      waited += 1;
      if (waited === 3) await server?.giveBack('atOnce');
    };
    const workspaces = new Workspaces(
      storage,
      () => time.now,
      'k',
      () => time.now,
    );
    await workspaces.delete('demo', {
      pace: { now: () => 0, pause },
      onProgress: (rows) => said.push(rows),
      onWait: () => said.push('waits'),
    });
    expect(waited).toBe(3);
    const [first, ...counts] = said.map(Number);
    expect(first).toBeNaN();
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.toSorted((one, other) => one - other)).toEqual(counts);
    expect(counts).not.toContain(0);
    expect(new Set(counts).size).toBe(counts.length);
    expect(await countRows(storage, 'demo')).toEqual({});
  });

  test('says so when there is none, or nothing of it is left', async ({ storage }) => {
    const workspaces = new Workspaces(storage, Date.now, 'k');
    await expect(workspaces.delete('nowhere')).rejects.toThrow('There is no workspace "nowhere"');
    await workspaces.create('shop');
    await workspaces.delete('shop');
    await expect(workspaces.delete('shop')).rejects.toThrow('The workspace "shop" is deleted.');
    expect(await workspaces.list()).toEqual([]);
  });

  test('ends its id: nobody gets it again', async ({ storage }) => {
    const workspaces = new Workspaces(storage, Date.now, 'k');
    await workspaces.create('shop');
    await workspaces.delete('shop');
    await expect(workspaces.create('shop')).rejects.toThrow('The id "shop" can\'t be used again');
    expect(await workspaces.createIfFree('shop')).toBeUndefined();
  });
});

test('moving a workspace to another hash key deletes its accounts, keys, sessions and links, however many, each with its line in the log, and nothing else', async ({
  storage,
}) => {
  await new Workspaces(storage, Date.now, 'lost').create('demo');
  await fill(storage, 'demo');
  const before = await countRows(storage, 'demo');
  const { service_accounts: _a, api_keys: _k, sessions: _s, sign_in_links: _l, audit_lines: _t, ...rest } = before;
  const workspaces = new Workspaces(storage, Date.now, 'present');
  await expect(workspaces.requireHashKey()).rejects.toThrow('hash key is not the one');
  for (const holder of ['a', 'k', 'u']) await takeOf(storage, 'demo', holder);
  await workspaces.rekey('demo', { pace: { now: () => 0, pause: async () => {} } });
  const full = Promise.all(['a', 'k', 'u'].map((holder) => takeOf(storage, 'demo', holder)));
  expect(await full).toEqual([true, true, false]);
  await workspaces.requireHashKey();
  await expect(workspaces.rekey('demo')).rejects.toThrow('already uses this hash key');
  const { audit_lines: _, ...left } = await countRows(storage, 'demo');
  expect(left).toEqual(rest);
  const lines = storage.db.selectFrom('audit_lines').select(['actor_id', 'act', 'subject']);
  expect(await lines.where('workspace_id', '=', 'demo').orderBy('act').orderBy('subject').execute()).toEqual(
    [
      ['apiKeyDeleted', 's (k)'],
      ['serviceAccountDeleted', 'a'],
      ['serviceAccountDeleted', 'b'],
      ['userInvited', 'a@b.example'],
      ['workspaceCreated', 'demo'],
      ['workspaceRekeyed', 'demo'],
    ].map(([act, subject]) => ({ actor_id: null, act, subject })),
  );
});
