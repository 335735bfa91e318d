import type { TestProject } from 'vitest/node';
import { openStorage } from '../open.ts';
import { newSqlite } from './databases.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A file of SQLite with the tables of this version, of which others are copies; undefined where tests run on PostgreSQL. */
    migratedFile: string | undefined;
  }
}

/** Makes one database of SQLite of which those of all tests of a run are copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { location, remove } = await newSqlite();
  const storage = await openStorage(location);
  await storage.close();
  project.provide('migratedFile', location.database);
  return remove;
}
