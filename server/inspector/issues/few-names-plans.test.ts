// @module-tag both-engines
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { newDatabase, type TestDatabase } from '../../storage/testing/databases.ts';
import { gatherStatistics, readPlans } from '../../storage/testing/query-plans.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { eventSummaries } from '../reports/event-summaries.ts';
import { hasUnchecked } from './look-for-issues.ts';

/** As in an installation with one tenant: all rows of a table are its own, and of few events. */
const ROWS = 10_000;

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await newDatabase({ logged: false });
  storage = await openStorage(database.location);
  await addWorkspaces(storage, 'only');
  await fill();
  for (const table of ['issues', 'observed_properties', 'event_names', 'event_totals', 'issue_news'] as const) {
    await gatherStatistics(storage, table);
  }
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

async function fill(): Promise<void> {
  const { db } = ofTest(storage);
  const numbers = sql`numbers(i) as (select 0 union all select i + 1 from numbers where i + 1 < ${sql.lit(ROWS)})`;
  await sql`insert into issues (workspace_id, issue_id, kind, event_key, path_key, event_name, path, source, environment,
      app_version, state, first_seen, last_seen, raised_at)
    with recursive ${numbers}
    select 'only', 'id-' || i, 'typeConflict', 'Big ' || (i % 5), 'p' || i, 'Big ' || (i % 5), '[]', 'app', 'prod', '1.0', 'open', 1, 1, i
    from numbers`.execute(db);
  await sql`insert into observed_properties (workspace_id, event_key, path_key, event_name, path, type, conflicting)
    with recursive ${numbers} select 'only', 'Big ' || (i % 5), 'p' || i, 'Big ' || (i % 5), '[]', 'int', 1
    from numbers`.execute(db);
  await sql`insert into issue_news (workspace_id, entry_id, news)
    with recursive ${numbers} select 'only', 'id-' || i, '[]' from numbers`.execute(db);
  await sql`insert into event_names (workspace_id, event_key, event_name)
    with recursive ${numbers} select 'only', 'Event ' || i, 'Event ' || i from numbers where i < 5000`.execute(db);
  await sql`insert into event_totals (workspace_id, environment, event_key, source, versions, shapes, newest_versions, count, first_seen, last_seen)
    with recursive ${numbers} select 'only', '', 'Event ' || i, 'app', 1, 1, '[]', 1, 1, 1 from numbers where i < 5000`.execute(
    db,
  );
}

test('the conflicts and open issues of events are counted where they lie, though each event that has some has many', async () => {
  const plans = await readPlans(storage, (db) =>
    eventSummaries({ ...storage, db }, 'only', { limit: 50, withIssues: 'true' }, 1),
  );
  const counting = plans.filter(({ text }) => /issues/.test(text));
  expect(counting.length).toBeGreaterThan(0);
  for (const { readsAll, text } of counting) expect(readsAll, text).toBe(false);
});

test('what is new is found where it lies', async () => {
  const plans = await readPlans(storage, (db) => hasUnchecked({ db }, 'only'));
  expect(plans).toHaveLength(1);
  for (const { readsAll, text } of plans) expect(readsAll, text).toBe(false);
});
