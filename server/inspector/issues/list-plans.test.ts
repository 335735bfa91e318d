// @module-tag both-engines
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { newDatabase, type TestDatabase } from '../../storage/testing/databases.ts';
import { gatherStatistics, readPlans } from '../../storage/testing/query-plans.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { PAGE_SIZE } from '../limits.ts';
import { eventSummaries } from '../reports/event-summaries.ts';
import { nextCompared, nextDueVersion } from './compare-versions.ts';
import { type IssueQuery, listIssues } from './list.ts';

/** Ten workspaces have as many as there may be. */
const ISSUES = 100_000;

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await newDatabase({ logged: false });
  storage = await openStorage(database.location);
  await addWorkspaces(storage, ...Array.from({ length: 10 }, (_, index) => `w${index}`));
  await fill();
  for (const table of ['issues', 'event_names', 'event_totals', 'issue_versions'] as const) {
    await gatherStatistics(storage, table);
  }
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

const PORTION = 10_000;

function numbers(from: number, until: number): RawBuilder<unknown> {
  return sql`numbers(i) as (select cast(${from} as integer) union all select i + 1 from numbers where i + 1 < ${until})`;
}

async function fill(): Promise<void> {
  const { db } = ofTest(storage);
  for (let start = 0; start < ISSUES; start += PORTION) {
    const some = numbers(start, start + PORTION);
    await sql`insert into issues (workspace_id, issue_id, kind, event_key, path_key, event_name, path, source, environment,
        app_version, state, first_seen, last_seen, raised_at)
      with recursive ${some}
      select 'w' || (i % 10), 'id-' || (1000000 + i), 'goneInVersion', 'Event ' || (i % 500), '', 'Event ' || (i % 500), '[]',
        'app ' || (i % 7), 'prod', '1.0', case when i % 3 = 0 then 'resolved' else 'open' end, 1, 1, i / 20
      from numbers`.execute(db);
    await sql`insert into issue_versions (workspace_id, source, environment, app_version, first_seen, due_at)
      with recursive ${some}
      select 'w' || (i % 10), 'app ' || (i % 7), 'prod', '1.' || i, i, case when i % 1000 = 0 then 1 end from numbers`.execute(
      db,
    );
  }
  await sql`insert into event_names (workspace_id, event_key, event_name)
    with recursive ${numbers(0, 5_000)} select 'w' || (i % 10), 'Event ' || (i / 10), 'Event ' || (i / 10) from numbers`.execute(
    db,
  );
  await sql`insert into event_totals (workspace_id, environment, event_key, source, versions, shapes, newest_versions, count, first_seen, last_seen)
    with recursive ${numbers(0, 5_000)} select 'w' || (i % 10), '', 'Event ' || (i / 10), 'app', 1, 1, '[]', 1, 1, 1 from numbers`.execute(
    db,
  );
}

/** One step of reading. */
const STEP = 250;

/** The issues of a page; one is read twice. */
const SHOWN = PAGE_SIZE + 1;

const LISTS: [name: string, query: IssueQuery, mostRows: number][] = [
  ['all that are open', {}, STEP + SHOWN],
  ['those that were resolved', { state: 'resolved' }, STEP + SHOWN],
  ['those of an event', { eventName: 'Event 7' }, STEP + SHOWN],
  ['those of a source', { source: 'app 3' }, STEP + SHOWN],
  ['a kind that none has', { kind: 'overLimit' }, 10 * STEP],
  ['a text that no event has', { text: 'nowhere' }, 10 * STEP],
];

test.for(LISTS)('%s of 10,000 issues of a workspace: reads what the page may need', async ([, query, mostRows]) => {
  const plans = await readPlans(storage, (db) => listIssues({ ...storage, db }, 'w7', query));
  const ofIssues = plans.filter(({ text }) => /issues/.test(text));
  expect(ofIssues.length).toBeGreaterThan(0);
  for (const { readsAll, text } of ofIssues) expect(readsAll, text).toBe(false);
  expect(ofIssues.reduce((sum, { rowsRead = 0 }) => sum + rowsRead, 0)).toBeLessThanOrEqual(mostRows);
});

test('the open issues of events are counted where they lie', async () => {
  const plans = await readPlans(storage, (db) => eventSummaries({ ...storage, db }, 'w7', { limit: 50 }, 1));
  const ofIssues = plans.filter(({ text }) => /issues/.test(text));
  expect(ofIssues).toHaveLength(1);
  for (const { readsAll, text } of ofIssues) expect(readsAll, text).toBe(false);
});

test('the versions that are due are found one by one', async () => {
  const plans = await readPlans(storage, async (db) => {
    expect(await nextCompared({ db }, 'w')).toBe('w0');
    expect(await nextDueVersion({ db }, 'w0', 5)).toMatchObject({ workspace_id: 'w0', due_at: 1 });
    expect(await nextCompared({ db }, 'w0')).toBeUndefined();
  });
  expect(plans).toHaveLength(3);
  for (const { readsAll, text, rowsRead = 0 } of plans) {
    expect(readsAll, text).toBe(false);
    expect(rowsRead).toBeLessThanOrEqual(1);
  }
});
