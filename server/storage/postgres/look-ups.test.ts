import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { namesTaken } from '../../branches/names-taken.ts';
import { ManyKeys } from '../many-keys.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { newDatabase, type TestDatabase } from '../testing/databases.ts';
import { readPlans } from '../testing/query-plans.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { openPostgres } from './database.ts';

/**
 * What PostgreSQL knows of the tables is from before the workspace had rows: of a table that others have filled it looks at the rows
 * again only when a tenth of them has changed.
 */

let database: TestDatabase;
let storage: Storage;
let client: pg.Client;

beforeAll(async () => {
  database = await newDatabase();
  storage = ofTest(await openPostgres(database.location.databaseUrl ?? ''));
  client = new pg.Client(database.location.databaseUrl);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await storage.close();
  await database.remove();
});

const PLACE = ['source', 'environment'];

/** The look-ups that ingest and the reports make. */
const LOOK_UPS: [table: keyof Tables, columns: string[]][] = [
  ['observed_types', ['event_key', 'path_key', 'type', ...PLACE]],
  ['observed_shapes', ['event_key', ...PLACE, 'app_version', 'shape_id']],
  ['observed_events', ['event_key', ...PLACE, 'app_version']],
  ['observed_events', ['event_key', 'app_version']],
  ['observed_properties', ['event_key', 'path_key']],
  ['source_shapes', ['event_key', 'shape_id', ...PLACE]],
  ['shapes', ['event_key', 'shape_id']],
  ['event_names', ['event_key']],
  ['event_totals', ['environment', 'event_key', 'source']],
  ['event_totals', ['environment', 'event_key']],
  ['event_volumes', ['event_key', ...PLACE, 'app_version']],
  ['volume_days', ['source', 'day']],
  ['app_versions', ['source', 'app_version']],
  ['issues', ['event_key', ...PLACE]],
  ['issue_names', ['event_key', 'folded_key']],
  ['issue_versions', [...PLACE, 'app_version']],
];

interface Column {
  column_name: string;
  data_type: string;
}

/** Adds rows whose values are their numbers. */
async function fill(db: Kysely<Tables>, table: keyof Tables, workspace: string, count: number): Promise<void> {
  const { rows } = await client.query<Column>(
    '/* test */ select column_name, data_type from information_schema.columns where table_name = $1 order by ordinal_position',
    [table],
  );
  const values = rows.map(({ column_name, data_type }) => {
    if (column_name === 'workspace_id') return sql.lit(workspace);
    if (column_name === 'status') return sql.lit('Draft');
    if (data_type === 'bytea') return sql`decode(md5(n::text), 'hex')`;
    return data_type === 'text' ? sql`n::text` : sql`n % 1000`;
  });
  const names = sql.join(rows.map(({ column_name }) => sql.ref(column_name)));
  await sql`/* test */ insert into ${sql.table(table)} (${names}) select ${sql.join(values)} from generate_series(1, ${sql.lit(count)}) n`.execute(
    db,
  );
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of tables were read, wanted or not. */
function countRead(plan: Plan): number {
  const { 'Actual Rows': given, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = plan;
  const own = plan['Relation Name'] === undefined ? 0 : (given + removed) * loops;
  return (plan.Plans ?? []).reduce((sum, one) => sum + countRead(one), own);
}

/** Fills the table with three workspaces that PostgreSQL knows, and then a new one. */
async function fillBehindStatistics(table: keyof Tables): Promise<void> {
  await sql`/* test */ truncate ${sql.table(table)} cascade`.execute(storage.db);
  for (const workspace of ['one', 'two', 'three']) await fill(storage.db, table, workspace, 5_000);
  await sql`/* test */ analyze ${sql.table(table)}`.execute(storage.db);
  await fill(storage.db, table, 'new', 2_000);
}

it.each(LOOK_UPS)('of %s by %j take a step for each key, whatever the statistics say', async (table, columns) => {
  await fillBehindStatistics(table);
  const lookUp = new ManyKeys<Record<string, string>>(table, columns);
  const keys = Array.from({ length: 256 }, (_, index) =>
    Object.fromEntries(columns.map((column) => [column, String(3 * index)])),
  );
  const [statement] = lookUp.compile(storage.db, 'new', keys);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `/* test */ explain (analyze, timing off, format json) ${statement?.sql}`,
    [...(statement?.parameters ?? [])],
  );
  const [{ Plan: plan } = { Plan: undefined }] = rows[0]?.['QUERY PLAN'] ?? [];
  expect(plan).toBeDefined();
  expect(plan && countRead(plan)).toBeLessThanOrEqual(keys.length);
});

it('of taken names takes a step for each, whatever the statistics say', async () => {
  await fillBehindStatistics('branches');
  const names = Array.from({ length: 20 }, (_, index) => String(3 * index));
  const [plan] = await readPlans(storage, (db) => namesTaken(db, 'new', names));
  expect(plan?.rowsRead).toBe(names.length - 1);
});
