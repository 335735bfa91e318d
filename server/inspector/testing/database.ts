import { test as base } from 'vitest';
import { type DatabaseLocation, openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { newDatabase } from '../../storage/testing/databases.ts';
import { addWorkspaces } from '../../storage/testing/workspaces.ts';

interface Fixtures {
  location: DatabaseLocation;
  /** A database of its own, with the workspaces `demo` and `other`. */
  storage: Storage;
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
});
