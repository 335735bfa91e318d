import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'vitest';
import { openSqlite } from '../../storage/sqlite.ts';
import type { Storage } from '../../storage/storage.ts';
import { compete, type Job, type Outcome } from './competitor.ts';

interface Fixtures {
  file: string;
  /** A database of its own, in a temporary folder. */
  storage: Storage;
  /** Does the first jobs here and the others in a second process on the same file, at the same time. */
  race: (here: readonly Job[], there: readonly Job[]) => Promise<Outcome[]>;
}

/** Tests over a real SQLite file. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
  file: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'branchline-branches-'));
    await use(join(folder, 'branchline.db'));
    await rm(folder, { recursive: true });
  },
  storage: async ({ file }, use) => {
    const storage = await openSqlite(file);
    await use(storage);
    await storage.close();
  },
  race: async ({ file, storage }, use) => {
    const other = fork(join(import.meta.dirname, 'competitor.ts'), [file], { serialization: 'advanced' });
    await once(other, 'message');
    await use(async (here, there) => {
      other.send(there);
      const [[outcomes], mine] = await Promise.all([once(other, 'message'), compete(storage, here)]);
      return [...mine, ...(outcomes as Outcome[])];
    });
    other.kill();
  },
});
