import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UserError } from '@branchline/command-line';
import { newDatabase, type TestDatabase } from '../testing/databases.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { openPostgres } from './database.ts';

/** A database in which another program has its tables. */

let database: TestDatabase;
let url: string;

beforeEach(async () => {
  database = await newDatabase({ empty: true });
  url = database.location.databaseUrl ?? '';
});

afterEach(() => database.remove());

async function query(...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const results = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

const relations = () =>
  query(`select relnamespace::regnamespace, relname from pg_class where relnamespace::regnamespace::text !~ '^(pg_|information_)'
    order by 1, 2`);

const MIGRATIONS = 'kysely_migration (name text, timestamp text)';

it.each([
  ['a table with the name of one of ours', ['create table branches (name text)'], /relation "branches" already exists/],
  ['a view with such a name', ['create view shapes as select 1 as one'], /relation "shapes" already exists/],
  ['a type with such a name', [`create type users as enum ('a')`], /"users" already exists/],
  ['a table of migrations of another form', ['create table kysely_migration (id int)'], /"kysely_migration" has no/],
  [
    'the migrations of another program on Kysely',
    [`create table ${MIGRATIONS}`, `insert into kysely_migration values ('0001_init', '')`],
    /"kysely_migration" has no migrations of Branchline/,
  ],
])('with %s is refused, and stays as it is', async (_what, statements, reason) => {
  await query(...statements);
  const before = await relations();
  const refused: unknown = await openPostgres(url).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UserError);
  expect(String(refused)).toMatch(
    /The database "test_\w+" on .* is used by another program.*Make a database for Branchline alone/,
  );
  expect(String(refused)).toMatch(reason);
  expect(await relations()).toEqual(before);
});

it.each([
  ['other tables', ['create table notes (text text)']],
  [
    'the migrations of another program in a schema of its own',
    [
      'create schema app',
      `create table app.${MIGRATIONS}`,
      `insert into app.kysely_migration values ('0001_init', '')`,
    ],
  ],
])('with %s is shared', async (_what, statements) => {
  await query(...statements);
  for (let opened = 0; opened < 2; opened += 1) {
    const storage = await openPostgres(url);
    expect(await ofTest(storage).db.selectFrom('workspaces').selectAll().execute()).toEqual([]);
    await storage.close();
  }
  expect(await query(`select 1 as one from kysely_migration where name = '0001_accounts'`)).toEqual([{ one: 1 }]);
});
