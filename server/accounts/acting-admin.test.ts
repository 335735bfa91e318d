// @module-tag both-engines
import { describe, expect, it, afterAll, beforeAll } from 'vitest';
import { HttpError } from '../http/http-error.ts';
import { openStorage } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { WORKSPACE_TABLES } from '../storage/tables.ts';
import { newDatabase, type TestDatabase } from '../storage/testing/databases.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { type FilledWorkspace, fillWorkspace } from './testing/filled-workspace.ts';
import { SCOPES } from './principals.ts';

/** Acts of an admin who was one when the request was authenticated, and is none when its transaction begins. */

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await newDatabase();
  storage = await openStorage(database.location);
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

const NEW = { label: 'late', email: 'ci@example.com', scopes: SCOPES, ratePerSecond: null, rateEnforcement: null };

const ACTS: Record<string, (workspace: FilledWorkspace) => Promise<unknown>> = {
  'an invitation': ({ users, workspaceId, session: by }) =>
    users.invite({ workspaceId, email: 'accomplice@example.com', role: 'admin', by }),
  'another role': ({ users, eve, session: by }) => users.changeRole({ ...eve, by }, 'admin'),
  'their own role': ({ users, workspaceId, session: by }) =>
    users.changeRole({ workspaceId, userId: by.userId, by }, 'admin'),
  'a link': ({ users, eve, session: by }) => users.createLink({ ...eve, by }),
  'a removal': ({ users, eve, session: by }) => users.remove({ ...eve, by }),
  'a new account': ({ accounts, workspaceId, session: by }) => accounts.create({ ...NEW, workspaceId }, by),
  'the end of an account': ({ accounts, workspaceId, accountId, session: by }) =>
    accounts.delete(workspaceId, accountId, by),
  'a new key': ({ keys, workspaceId, session: by }) =>
    keys.create({ workspaceId, source: 'late', samplingRate: 1 }, by),
  'the end of a key': ({ keys, workspaceId, key, session: by }) => keys.delete(workspaceId, key.keyId, by),
};

const LOSSES: Record<string, { status: number; lose: (workspace: FilledWorkspace) => Promise<unknown> }> = {
  'is removed': { status: 401, lose: ({ users, ada }) => users.remove(ada) },
  'has another role': { status: 403, lose: ({ users, ada }) => users.changeRole(ada, 'editor') },
  'has signed out': {
    status: 401,
    lose: ({ sessions, session }) => sessions.endNow(session.workspaceId, [session.sessionHash]),
  },
};

let filled = 0;

/** A workspace in which somebody else is an admin too. */
async function fill(): Promise<FilledWorkspace> {
  const workspace = await fillWorkspace(storage, `team-${(filled += 1)}`, () => 1_000);
  const { users, workspaceId } = workspace;
  await users.invite({ workspaceId, email: 'grace@example.com', role: 'admin', by: undefined });
  return workspace;
}

/** The rows of each table, sorted, since a database may return them in any order. */
async function rowsOf(workspaceId: string): Promise<string[][]> {
  const { db } = ofTest(storage);
  const tables = WORKSPACE_TABLES.map(async (table) => {
    const rows = await db.selectFrom(table).selectAll().where('workspace_id', '=', workspaceId).execute();
    return rows.map((row) => JSON.stringify(row)).toSorted();
  });
  return Promise.all(tables);
}

describe.each(Object.entries(ACTS))('%s', (_act, act) => {
  it('is done by an admin', async () => {
    const workspace = await fill();
    const before = await rowsOf(workspace.workspaceId);
    await act(workspace);
    const after = await rowsOf(workspace.workspaceId);
    // Who is an admin already is made one without a trace.
    if (act === ACTS['their own role']) expect(after).toEqual(before);
    else expect(after).not.toEqual(before);
  });

  it.each(Object.entries(LOSSES))(
    'is refused, and changes nothing, where the admin %s meanwhile',
    async (_loss, one) => {
      const workspace = await fill();
      await one.lose(workspace);
      const before = await rowsOf(workspace.workspaceId);
      const refusal = await act(workspace).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(HttpError);
      expect(refusal).toMatchObject({ statusCode: one.status });
      expect(await rowsOf(workspace.workspaceId)).toEqual(before);
    },
  );
});
