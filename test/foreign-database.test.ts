import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { branchline } from './support/command-line.ts';

/** Another program's database where ours is expected: it is refused with a sentence, and stays as it is. */

let folder: string;
let database: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-foreign-'));
  mkdirSync(join(folder, 'data'));
  database = join(folder, 'data', 'app.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

function make(statements: string, file = database): void {
  using made = new DatabaseSync(file);
  made.exec(statements);
}

/** As a program leaves it that was killed: what it stored last is in the log alone. */
function makeWithLog(): void {
  const original = join(folder, 'original.db');
  using made = new DatabaseSync(original);
  made.exec('create table notes (text); pragma journal_mode = wal; insert into notes values (1)');
  for (const suffix of ['', '-wal']) copyFileSync(original + suffix, database + suffix);
}

/** What is in each file; the index of a log holds nothing that is not in that. */
const contents = () =>
  Object.fromEntries(
    readdirSync(join(folder, 'data'))
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [name, readFileSync(join(folder, 'data', name), 'hex')]),
  );

it.each([
  ['other tables', () => make('create table notes (text)')],
  ['a table with the name of one of ours', () => make('create table notes (text); create table branches (name)')],
  ['a view with the name of one of our tables', () => make('create view branches as select 1 as name')],
  ['a table of migrations of another form', () => make('create table kysely_migration (id)')],
  [
    'the migrations of another program on Kysely',
    () =>
      make("create table kysely_migration (name, timestamp); insert into kysely_migration values ('0001_init', '')"),
  ],
  ['the mode in which there is a log', () => make('pragma journal_mode = wal; create table notes (text)')],
  ['what was stored last in its log', makeWithLog],
])('with %s', async (_what, makeForeign) => {
  makeForeign();
  const before = contents();
  for (const command of [
    ['serve', '--port', '0'],
    ['workspace', 'list'],
    ['workspace', 'create', 'shop'],
  ]) {
    expect(await branchline(command, { BRANCHLINE_DATABASE: database })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        `branchline: The database file ${database} belongs to another program: there are tables in it, and none of Branchline. ` +
        'It was not changed. Name another with --database.\n',
    });
    expect(contents()).toEqual(before);
  }
});

it('one without tables is ours to fill, whatever settings it has', async () => {
  make('pragma user_version = 1; pragma application_id = 5');
  expect(await branchline(['workspace', 'create', 'shop'], { BRANCHLINE_DATABASE: database })).toMatchObject({
    exitCode: 0,
  });
});
