import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import { UserError } from '@branchline/command-line';
import { newDatabase, type TestDatabase } from '../testing/databases.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { openPostgres } from './database.ts';
import { makeTablesTogether } from './schemas.ts';

/** Databases with several schemas: by default the one with the name of the role comes first, where it is there. */

let database: TestDatabase;
let url: string;
let admin: pg.Client;

beforeEach(async () => {
  database = await newDatabase({ empty: true });
  url = database.location.databaseUrl ?? '';
  admin = new pg.Client(url);
  await admin.connect();
});

afterEach(async () => {
  await admin.end();
  await database.remove();
});

const makeSchemaOfRole = () => admin.query(`do $$ begin execute format('create schema %I', current_user); end $$`);

const nameSchemaOfRole = (name: string) =>
  admin.query(`do $$ begin execute format('alter schema %I rename to ${name}', current_user); end $$`);

const setSearchPath = (path: string) =>
  admin.query(`do $$ begin execute format('alter database %I set search_path = ${path}', current_database()); end $$`);

async function schemasOf(table: string): Promise<unknown[]> {
  const { rows } = await admin.query<{ schema: string }>(
    'select relnamespace::regnamespace::text as schema from pg_class where relname = $1 order by 1',
    [table],
  );
  return rows.map(({ schema }) => schema);
}

async function openAndClose(): Promise<void> {
  const storage = await openPostgres(url);
  await ofTest(storage).db.selectFrom('workspaces').selectAll().execute();
  await storage.close();
}

it('a role that does not find the installation of another one makes no second, empty one', async () => {
  await makeSchemaOfRole();
  await openAndClose();
  // As for a role with another name.
  await nameSchemaOfRole('theirs');
  const refused: unknown = await openPostgres(url).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UserError);
  expect(String(refused)).toMatch(
    /has the tables of Branchline in its schema theirs, where the role "?\w+"? does not look.*alter role .* set search_path = theirs;/,
  );
  expect(await schemasOf('workspaces')).toEqual(['theirs']);
  await setSearchPath('theirs');
  await openAndClose();
  expect(await schemasOf('workspaces')).toEqual(['theirs']);
});

it('whoever has set the search path gets a second installation', async () => {
  await makeSchemaOfRole();
  await openAndClose();
  await nameSchemaOfRole('theirs');
  await setSearchPath('public');
  await openAndClose();
  expect(await schemasOf('workspaces')).toEqual(['public', 'theirs']);
});

it('a table of another program that comes before ours is refused', async () => {
  await openAndClose();
  await makeSchemaOfRole();
  await openAndClose();
  await admin.query('create table sessions (their_id int)');
  const refused: unknown = await openPostgres(url).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UserError);
  expect(String(refused)).toMatch(
    /leads to "?\w+"?\.sessions, of another program, and not to the schema public.*Set search_path = public/,
  );
  await setSearchPath('public');
  await openAndClose();
});

it('new tables are made beside those that are there, not in a schema that comes first by now', async () => {
  const storage = await openPostgres(url);
  await makeSchemaOfRole();
  await storage.write(async (tx) => {
    await makeTablesTogether(tx);
    await sql`create table made_by_a_migration (id int)`.execute(tx);
  });
  await storage.close();
  expect(await schemasOf('made_by_a_migration')).toEqual(['public']);
});
