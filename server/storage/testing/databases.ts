import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { DatabaseLocation } from '../open.ts';
// oxlint-disable-next-line import/no-unassigned-import -- it declares what the run provides
import './shared-cluster.ts';

/** A database of its own, empty, on the engine that this run tests. */
export interface TestDatabase {
  location: DatabaseLocation;
  remove: () => Promise<void>;
}

export type Engine = 'sqlite' | 'postgres';

/** The engine that this run tests. */
export function testedEngine(): Engine {
  return inject('postgresUrl') === undefined ? 'sqlite' : 'postgres';
}

export interface TestDatabaseOptions {
  /**
   * Whether the server may log its statements, which are looked at after the run. Costs a third of the time of what does
   * nothing but run statements. Defaults to true.
   */
  logged?: boolean;
}

export function newDatabase(options?: TestDatabaseOptions): Promise<TestDatabase> {
  const clusterUrl = inject('postgresUrl');
  return clusterUrl === undefined ? newSqlite() : newPostgres(clusterUrl, options);
}

/** On SQLite, whatever the run tests, and outside of one too. */
export async function newSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-test-'));
  return {
    location: { database: join(folder, 'branchline.db') },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** The order of a language, unlike that of bytes, is the default there: nothing may depend on it. */
export async function newPostgres(
  clusterUrl: string,
  { logged = true }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(
    clusterUrl,
    `create database ${name} template template0 encoding utf8 locale_provider icu icu_locale 'en-US'`,
    ...(logged ? [] : [`alter database ${name} set log_statement = 'none'`]),
  );
  const url = new URL(clusterUrl);
  url.pathname = name;
  return {
    location: { database: '/nowhere', databaseUrl: url.href },
    remove: () => administer(clusterUrl, `drop database ${name} with (force)`),
  };
}

/** Runs statements, one after the other, as the superuser of a cluster or of one database. */
export async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  // A cluster that is ended while a test fails must not end the test run.
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
