import type { TestProject } from 'vitest/node';
import { startCluster } from './cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL server, where tests run on PostgreSQL. */
    postgresUrl: string | undefined;
  }
}

/** Starts one PostgreSQL server for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  project.provide('postgresUrl', cluster.url);
  return cluster.remove;
}
