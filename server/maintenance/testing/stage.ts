import { test as base } from 'vitest';
import { type DatabaseLocation, openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { newDatabase } from '../../storage/testing/databases.ts';
import { Leases } from '../lease.ts';
import type { Pace } from '../steps.ts';

/** Time that passes only when a test says so, or when somebody pauses. */
export class FakeTime {
  now = Date.UTC(2026, 0, 2);
  readonly pauses: number[] = [];

  readonly pace: Pace = {
    now: () => this.now,
    pause: async (milliseconds) => {
      this.pauses.push(milliseconds);
      this.now += milliseconds;
    },
  };
}

interface Fixtures {
  location: DatabaseLocation;
  storage: Storage;
  time: FakeTime;
  /** Those of one process. */
  leases: Leases;
}

/** Tests of the maintenance over a real database, in a time of their own. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
  location: async ({}, use) => {
    const database = await newDatabase();
    await use(database.location);
    await database.remove();
  },
  storage: async ({ location }, use) => {
    const storage = await openStorage(location);
    await use(storage);
    await storage.close();
  },
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
  time: async ({}, use) => use(new FakeTime()),
  leases: async ({ storage, time }, use) => use(openLeases(storage, time)),
});

/** Those of a process whose clocks show this time. */
export function openLeases(storage: Storage, time: FakeTime): Leases {
  return new Leases({ storage, clock: () => time.now, now: () => time.now });
}
