import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { administer, newDatabase } from '../../server/storage/testing/databases.ts';
import { branchline } from '../support/command-line.ts';

const END_WHO_WAITS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

it.each([
  ['select pg_advisory_xact_lock(5140823907)', 'waiting for another process, which migrates the PostgreSQL database'],
  ['lock table kysely_migration', 'migrating the PostgreSQL database .*, or waiting for a table'],
  ['lock table workspaces', 'waiting for the database to say which workspaces it has'],
])('a start that waits beside "%s" says in its log what for', async (statement, line) => {
  const database = await newDatabase();
  const url = database.location.databaseUrl ?? '';
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await database.remove();
  });
  await other.query('begin');
  await other.query(statement);
  const env = { DATABASE_URL: url, BRANCHLINE_HASH_KEY: randomBytes(32).toString('hex') };
  let ended: Promise<void> | undefined;
  const { exitCode, stderr } = await branchline(['serve', '--port', '0'], env, (text) => {
    if (new RegExp(line).test(text)) ended ??= administer(url, END_WHO_WAITS);
  });
  await ended;
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(`^\\{"level":30,.*"msg":"${line}`),
    expect.stringMatching(/^branchline: The (PostgreSQL database .* can't be used|database failed)/),
    '',
  ]);
  expect(exitCode).toBe(2);
});
