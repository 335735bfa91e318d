import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type DatabaseLocation, openStorage } from '../open.ts';

/** A database of its own on the engine that this run tests. */
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
  logged?: boolean | undefined;
  /** Whether it is as before the first start, without tables. Defaults to false: it has those of this version, and no rows. */
  empty?: boolean;
}

export function newDatabase({ empty = false, logged }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const clusterUrl = inject('postgresUrl');
  if (clusterUrl === undefined) return newSqlite(empty ? undefined : inject('migratedFile'));
  return newPostgres(clusterUrl, { logged, template: empty ? undefined : MIGRATED });
}

/**
 * On SQLite, whatever the run tests, and outside of one too.
 *
 * @param template the file of which it is a copy; left out: it is empty
 */
export async function newSqlite(template?: string): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-test-'));
  const database = join(folder, 'branchline.db');
  if (template !== undefined) await copyFile(template, database);
  return { location: { database }, remove: () => rm(folder, { recursive: true }) };
}

/** The database of the shared server of which others are copies. */
const MIGRATED = 'migrated';

/** The order of a language, unlike that of bytes, is the default there: nothing may depend on it. */
const EMPTY = `template0 encoding utf8 locale_provider icu icu_locale 'en-US'`;

/** However slow the machine is, a connection comes. In seconds. */
const CONNECT_TIMEOUT = '600';

export interface PostgresOptions extends Pick<TestDatabaseOptions, 'logged'> {
  /** Whether its URL says that connections are waited for much longer than usual. Defaults to true. */
  patient?: boolean;
  /** The database of which it is a copy; left out: it is empty. */
  template?: string | undefined;
}

export async function newPostgres(
  clusterUrl: string,
  { logged = true, patient = true, template }: PostgresOptions = {},
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(
    clusterUrl,
    // Files are copied as they are, which takes less than to write them to the log too.
    `create database ${name} template ${template === undefined ? EMPTY : `${template} strategy file_copy`}`,
    ...(logged ? [] : [`alter database ${name} set log_statement = 'none'`]),
  );
  return {
    location: within(clusterUrl, name, patient ? { connect_timeout: CONNECT_TIMEOUT } : {}),
    remove: () => administer(clusterUrl, `drop database ${name} with (force)`),
  };
}

/** Makes the database of which others are copies. */
export async function addMigrated(clusterUrl: string): Promise<void> {
  await administer(clusterUrl, `create database ${MIGRATED} template ${EMPTY}`);
  const storage = await openStorage(within(clusterUrl, MIGRATED));
  await storage.close();
}

function within(clusterUrl: string, name: string, parameters: Record<string, string> = {}): DatabaseLocation {
  const url = new URL(clusterUrl);
  url.pathname = name;
  url.search = String(new URLSearchParams(parameters));
  return { database: '/nowhere', databaseUrl: url.href };
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
