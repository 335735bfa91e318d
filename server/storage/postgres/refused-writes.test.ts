import { afterEach, beforeEach, expect, it } from 'vitest';
import { branchStore } from '../../branches/store.ts';
import { ACTOR } from '../../branches/testing/branches.ts';
import type { Storage } from '../storage.ts';
import { administer, newDatabase, type TestDatabase } from '../testing/databases.ts';
import { errorOf } from '../testing/error-of.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { openPostgres } from './database.ts';

let database: TestDatabase;
let url: string;
let storage: Storage;
let clock: { now: number };

beforeEach(async () => {
  clock = { now: 0 };
  database = await newDatabase();
  url = database.location.databaseUrl ?? '';
  storage = ofTest(await openPostgres(url, { now: () => clock.now }));
  const workspace = { workspace_id: 'demo', hash_key_id: 'k', created_at: 1 };
  await storage.write((tx) => tx.insertInto('workspaces').values(workspace).execute());
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

let made = 0;

async function createBranch() {
  const branchId = `00000000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;
  await branchStore(storage).create({ workspaceId: 'demo', branchId, name: `b-${made}`, actor: ACTOR, at: 1 });
}

it.each<[string, string, string]>([
  [
    'a column was renamed',
    'alter table branches rename column creator_id to maker',
    'alter table branches rename column maker to creator_id',
  ],
  [
    'a column was added that must not be null',
    `alter table branches add column extra text not null default ''; alter table branches alter column extra drop default`,
    'alter table branches drop column extra',
  ],
  [
    'an index was dropped',
    'drop index branches_open_name',
    `create unique index branches_open_name on branches (workspace_id, name) where status in ('Draft', 'ReadyForReview', 'Approved')`,
  ],
  [
    'a check was added',
    'alter table branches add constraint short check (length(name) < 2) not valid',
    'alter table branches drop constraint short',
  ],
  [
    'a trigger raises an exception',
    `create function object() returns trigger language plpgsql as $$ begin raise exception 'No.'; end $$;
      create trigger object before insert on branches for each row execute function object()`,
    'drop trigger object on branches',
  ],
  [
    'a right was revoked',
    `create function refuse() returns trigger language plpgsql as $$ begin raise insufficient_privilege; end $$;
      create trigger refuse before insert on branches for each row execute function refuse()`,
    'drop trigger refuse on branches',
  ],
])(
  'a server is not ready while %s, and again ten seconds after a write was refused for it',
  async (_what, change, back) => {
    await createBranch();
    await storage.ping();
    await administer(url, change);
    expect(await errorOf(createBranch())).toBeInstanceOf(Error);
    await expect(storage.ping()).rejects.toThrow(
      /^The database refuses what the server writes \(.+\): its tables, or the/,
    );
    await administer(url, back);
    clock.now = 10_000;
    await expect(storage.ping()).rejects.toThrow('The database refuses');
    clock.now = 10_001;
    await storage.ping();
    await createBranch();
  },
);

it('a server is not ready while no bucket of a rate can be written', async () => {
  const key = { workspaceId: 'demo', holderId: 'key', operation: 'create' };
  const take = async () => storage.rateLimiter().take(key, { perSecond: 1 });
  await take();
  await administer(
    url,
    `create function refuse() returns trigger language plpgsql as $$ begin raise insufficient_privilege; end $$;
      create trigger refuse before insert on rate_limits for each row execute function refuse()`,
  );
  expect(await errorOf(take())).toBeInstanceOf(Error);
  await expect(storage.ping()).rejects.toThrow('The database refuses what the server writes');
  await administer(url, 'drop trigger refuse on rate_limits');
  clock.now = 10_001;
  await storage.ping();
  await take();
});

it('a write that fails for its own sake says nothing of the tables', async () => {
  expect(await errorOf(storage.write(async () => Promise.reject(new Error('of its own'))))).toBeInstanceOf(Error);
  await storage.ping();
});
