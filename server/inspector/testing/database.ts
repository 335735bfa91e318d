import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'vitest';
import { openSqlite } from '../../storage/sqlite.ts';
import type { Storage } from '../../storage/storage.ts';

interface Fixtures {
  file: string;
  /** A database of its own, in a temporary folder. */
  storage: Storage;
}

/** Tests over a real SQLite file. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
  file: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'branchline-inspector-'));
    await use(join(folder, 'branchline.db'));
    await rm(folder, { recursive: true });
  },
  storage: async ({ file }, use) => {
    const storage = await openSqlite(file);
    await use(storage);
    await storage.close();
  },
});
