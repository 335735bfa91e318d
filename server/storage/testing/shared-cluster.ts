import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startCluster } from './cluster.ts';
import { addMigrated } from './databases.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL server, where tests run on PostgreSQL. */
    postgresUrl: string | undefined;
    /** The folder in which all PostgreSQL servers of the run log their statements; undefined where none runs. */
    statementLogs: string | undefined;
  }
}

/** Starts one PostgreSQL server for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const statementLogs = mkdtempSync(join(tmpdir(), 'branchline-statements-'));
  // PostgreSQL may run as another user.
  chmodSync(statementLogs, 0o777);
  const cluster = await startCluster({ statementLogs });
  await addMigrated(cluster.url);
  project.provide('postgresUrl', cluster.url);
  // For the project that reads them after all tests.
  project.vitest.provide('statementLogs', statementLogs);
  return async () => {
    await cluster.remove();
    rmSync(statementLogs, { recursive: true });
  };
}
