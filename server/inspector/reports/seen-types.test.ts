// @module-tag both-engines
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { newDatabase, type TestDatabase } from '../../storage/testing/databases.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { readsInTurns, type TurnReads } from '../testing/reads-in-turns.ts';
import { typeConflicts } from './conflict-report.ts';
import { typesSeen } from './seen-types.ts';

/** The properties of an event, and each one's sightings. */
const PROPERTIES = 30;
const TYPES = 7;
const SOURCES = 100;
const SIGHTINGS = TYPES * SOURCES * 2;

/** The most rows that are read between two turns. */
const MOST_ROWS = 1_000;

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await newDatabase({ logged: false });
  storage = await openStorage(database.location);
  await addWorkspaces(storage, 'demo');
  const { db } = ofTest(storage);
  await sql`insert into observed_properties (workspace_id, event_key, path_key, event_name, path, type, conflicting)
    with recursive numbers(i) as (select 10 union all select i + 1 from numbers where i + 1 < ${sql.lit(10 + PROPERTIES)})
    select 'demo', 'Paid', '["p' || i || '"]', 'Paid', '["p' || i || '"]', 'type 0', 1 from numbers`.execute(db);
  // The later a type comes in the key, the more shapes it has.
  await sql`insert into observed_types (workspace_id, event_key, path_key, type, source, environment, first_version, shapes)
    with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i + 1 < ${sql.lit(SIGHTINGS / 2)}),
      environments(environment) as (values ('dev'), ('prod')),
      sightings as (
        select i % ${sql.lit(TYPES)} as type, 100 + i / ${sql.lit(TYPES)} as source, environment from numbers cross join environments
      )
    select 'demo', 'Paid', path_key, 'type ' || sightings.type, 'app ' || source, environment, '1.0', 1 + sightings.type
    from observed_properties cross join sightings where workspace_id = 'demo'`.execute(db);
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

const everyType = Array.from({ length: TYPES }, (_, index) => TYPES - 1 - index).map((type) => ({
  type: `type ${type}`,
  shapes: (1 + type) * SOURCES * 2,
  seenIn: Array.from({ length: 20 }, (_, index) => ({
    source: `app ${100 + Math.floor(index / 2)}`,
    environment: index % 2 === 0 ? 'dev' : 'prod',
    appVersion: '1.0',
  })),
}));

test('a conflict counts all its sightings, however many, some in each turn', async () => {
  const turns = await readsInTurns(storage, async () => {
    const page = await typeConflicts(storage, 'demo', { limit: 1 });
    expect(page?.entries).toEqual([{ eventName: 'Paid', property: ['p10'], types: everyType }]);
  });
  expect(mostRows(turns)).toBeLessThanOrEqual(MOST_ROWS);
  // Those of the page, and the first ones of those behind it.
  expect(allRows(turns)).toBeLessThan(SIGHTINGS + MOST_ROWS + 50);
});

test('a page ends early where it has read many sightings, and the next goes on', async () => {
  const found: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const pages: Awaited<ReturnType<typeof typeConflicts>>[] = [];
    const turns = await readsInTurns(storage, async () => {
      pages.push(await typeConflicts(storage, 'demo', { limit: 200, cursor: cursor ?? undefined }));
    });
    for (const { property, types } of pages[0]?.entries ?? []) {
      expect(types).toEqual(everyType);
      found.push(...property);
    }
    cursor = pages[0]?.nextCursor ?? null;
    expect(mostRows(turns)).toBeLessThanOrEqual(MOST_ROWS);
    expect(allRows(turns)).toBeLessThan(25_000);
  }
  expect(found).toEqual(Array.from({ length: PROPERTIES }, (_, index) => `p${10 + index}`));
});

test('a filter that few sightings pass finds those that are behind others', async () => {
  const page = await typeConflicts(storage, 'demo', { limit: 1, source: 'app 199', environment: 'prod' });
  const seenIn = [{ source: 'app 199', environment: 'prod', appVersion: '1.0' }];
  expect(page?.entries[0]?.types).toEqual(
    everyType.map(({ type, shapes }) => ({ type, shapes: shapes / SOURCES / 2, seenIn })),
  );
});

test('the types of issues are read some in each turn, those of a property once', async () => {
  const keys = Array.from({ length: PROPERTIES }, (_, index) => ({
    event_key: 'Paid',
    path_key: `["p${10 + (index % 3)}"]`,
  }));
  const turns = await readsInTurns(storage, async () => {
    const typesOf = await typesSeen(storage.db, 'demo', keys);
    for (const key of keys) expect(typesOf(key)).toEqual(everyType);
  });
  expect(mostRows(turns)).toBeLessThanOrEqual(MOST_ROWS);
  expect(allRows(turns)).toBe(3 * SIGHTINGS);
});

function mostRows(turns: readonly TurnReads[]): number {
  return Math.max(...turns.map(({ rows }) => rows));
}

function allRows(turns: readonly TurnReads[]): number {
  return turns.reduce((sum, { rows }) => sum + rows, 0);
}
