// @module-tag both-engines
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { newDatabase, type TestDatabase } from '../storage/testing/databases.ts';
import { gatherStatistics, readPlans } from '../storage/testing/query-plans.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../storage/testing/workspaces.ts';
import { branchEvents } from './activity.ts';
import { countBranches, MOST_COUNTED } from './counts.ts';
import { type BranchList, branchPage } from './list.ts';
import { namesTaken } from './names-taken.ts';

const BRANCHES = 100_000;

const LIMIT = 50;

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await newDatabase({ logged: false });
  storage = await openStorage(database.location);
  await addWorkspaces(storage, 'demo', 'other');
  await fill(storage);
  for (const table of ['branches', 'branch_events'] as const) await gatherStatistics(storage, table);
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

/** Every hundredth branch is another person's and another status than the rest, which lie before and after it. */
async function fill(storage: Storage): Promise<void> {
  const { db } = ofTest(storage);
  const rare = sql`i % 100 = 99`;
  for (let start = 0; start < BRANCHES; start += PORTION) {
    await sql`insert into branches (workspace_id, branch_id, name, status, creator_id, creator_email, created_at, collaborators, sequence)
      with recursive ${numbers(start, start + PORTION)}
      select case when i % 10 = 5 then 'other' else 'demo' end, 'id-' || (1000000 + i), 'name-' || i,
        case when ${rare} then 'Draft' when i % 3 = 0 then 'Closed' else 'Merged' end,
        case when ${rare} then 'person' else 'ci' end, 'ci@example.com', 1000000 + i / 2, '["ada@example.com"]', 1
      from numbers`.execute(db);
  }
  await sql`insert into branch_events (workspace_id, branch_id, sequence, type, happened_at, account_id, user_email, data)
    with recursive ${numbers(1, PORTION)}
    select 'demo', 'id-' || (1000000 + i % 2), i, 'published', i, 'ci', 'ci@example.com', '{}' from numbers`.execute(
    db,
  );
}

/** So many rows take an engine a second or two; what takes much longer is ended. */
const PORTION = 10_000;

function numbers(from: number, to: number) {
  return sql`numbers(i) as (select ${sql.lit(from)} union all select i + 1 from numbers where i < ${sql.lit(to - 1)})`;
}

const PLACE = [1_025_000, 'id-1050000'] as const;

/** The most rows of one status that are looked at for a page, which is read in two steps: with each of them one more. */
const OF_ONE_STATUS = LIMIT + 2;

const OF_EACH_STATUS = 5 * OF_ONE_STATUS;

const LISTS: [string, Omit<BranchList, 'workspaceId'>, mostRows: number][] = [
  ['all', {}, OF_ONE_STATUS],
  ['a rare status', { statuses: ['Draft'] }, OF_ONE_STATUS],
  ['a status that no branch has', { statuses: ['Approved'] }, 0],
  ['two statuses', { statuses: ['Draft', 'Merged'] }, OF_EACH_STATUS],
  ['a creator of few', { creatorId: 'person' }, OF_EACH_STATUS],
  ['a creator of most', { creatorId: 'ci' }, OF_EACH_STATUS],
  ['nobody', { creatorId: 'nobody' }, 0],
  ['a creator of most, and a rare status', { creatorId: 'ci', statuses: ['Draft'] }, OF_EACH_STATUS],
  ['a creator and two statuses', { creatorId: 'ci', statuses: ['Merged', 'Closed'] }, OF_EACH_STATUS],
  // Twice: once to find the end of a step, and once to look at the names.
  ['a text that no name has', { text: 'nowhere' }, 2 * 5_000 + 100],
  ['a collaborator whom no branch has', { collaboratorEmail: 'nobody@x' }, 2 * 5_000 + 100],
  [
    'a text within a creator and statuses',
    { creatorId: 'ci', text: 'zz', statuses: ['Merged', 'Closed'] },
    2 * 5_000 + 200,
  ],
];

describe.for(['oldest', 'newest'] as const)('the %s of 100,000 branches', (sort) => {
  test.for(LISTS)('%s: reads what the page may need, however many there are', async ([, list, mostRows]) => {
    for (const after of [undefined, PLACE]) {
      const plans = await readPlans(storage, (db) =>
        branchPage(db, { ...list, sort, workspaceId: 'demo' }, { after, limit: LIMIT }),
      );
      expect(plans.length).toBeGreaterThan(0);
      for (const { readsAll, text } of plans) expect(readsAll, text).toBe(false);
      expect(plans.reduce((sum, { rowsRead = 0 }) => sum + rowsRead, 0)).toBeLessThanOrEqual(mostRows);
    }
  });
});

test('counts read no more of each status than they count', async () => {
  const plans = await readPlans(storage, (db) => countBranches(db, 'demo'));
  expect(plans).toHaveLength(1);
  for (const { readsAll, text, rowsRead = 0 } of plans) {
    expect(readsAll, text).toBe(false);
    expect(rowsRead).toBeLessThanOrEqual(3 * (MOST_COUNTED + 1));
  }
  expect(await countBranches(storage.db, 'demo')).toEqual({
    Draft: 1_000,
    ReadyForReview: 0,
    Approved: 0,
    Merged: MOST_COUNTED + 1,
    Closed: MOST_COUNTED + 1,
  });
});

test('the activity of a branch reads its page', async () => {
  const key = { workspaceId: 'demo', branchId: 'id-1000001' };
  const [plan, ...others] = await readPlans(storage, (db) => branchEvents(db, key, PORTION / 2, LIMIT));
  expect(others).toEqual([]);
  expect(plan?.readsAll, plan?.text).toBe(false);
  expect(plan?.rowsRead ?? 0).toBeLessThanOrEqual(LIMIT);
});

test('which of many names are taken is found by a step for each, however many branches are open', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `name-${99 + 50 * index}`);
  const [plan, ...others] = await readPlans(storage, (db) => namesTaken(db, 'demo', names));
  expect(others).toEqual([]);
  expect(plan?.text).toMatch(
    /branches USING INDEX branches_open_name \(workspace_id=\? AND name=\?\)|Index.*Scan branches/,
  );
  expect(plan?.rowsRead ?? 0).toBeLessThanOrEqual(names.length);
  expect(await namesTaken(storage.db, 'demo', names)).toEqual(new Set(names.filter((_, index) => index % 2 === 0)));
});
