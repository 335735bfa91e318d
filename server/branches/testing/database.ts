import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test as base } from 'vitest';
import { type DatabaseLocation, openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { newDatabase } from '../../storage/testing/databases.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';
import { compete, type Job, type Outcome } from './competitor.ts';

interface Fixtures {
  location: DatabaseLocation;
  /** A database of its own, with the workspaces `demo` and `other`. */
  storage: Storage;
  /** Does the first jobs here and the others in a second process on the same database, at the same time. */
  race: (here: readonly Job[], there: readonly Job[]) => Promise<Outcome[]>;
}

/** Tests over a real database. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
  location: async ({}, use) => {
    const database = await newDatabase();
    await use(database.location);
    await database.remove();
  },
  storage: async ({ location }, use) => {
    const storage = await openStorage(location);
    await addWorkspaces(storage, 'demo', 'other');
    await use(storage);
    await storage.close();
  },
  race: async ({ location, storage }, use) => {
    const place = JSON.stringify(location);
    const other = fork(join(import.meta.dirname, 'competitor.ts'), [place], { serialization: 'advanced' });
    await once(other, 'message');
    await use(async (here, there) => {
      other.send(there);
      const [[outcomes], mine] = await Promise.all([once(other, 'message'), compete(storage, here)]);
      return [...mine, ...(outcomes as Outcome[])];
    });
    other.kill();
  },
});
