import { emptyingWorkspaces } from '../accounts/workspace-end.ts';
import type { Clock } from '../clock.ts';
import type { Ingest } from '../inspector/ingest.ts';
import type { RateLimiter } from '../storage/rate-limiter.ts';
import type { Storage } from '../storage/storage.ts';
import { StoredHorizon } from './stored-horizon.ts';
import type { MaintenanceTask } from './task.ts';

/** What is maintained. */
export interface Maintained {
  storage: Storage;
  ingest: Ingest;
  limiter: RateLimiter;
  clock: Clock;
  /** Replaces the time that all servers of the database share. */
  sharedClock?: Clock | undefined;
}

/** What keeps the database small: one server of a database does it for all. */
export function maintenanceTasks({ storage, ingest, limiter, clock, sharedClock }: Maintained): MaintenanceTask[] {
  const tasks = [emptyingWorkspaces(storage, clock), forgettingMessages(storage, ingest, sharedClock)];
  return limiter.shared ? [...tasks, droppingBuckets(limiter)] : tasks;
}

/** Forgets the messages and batches that nobody sends again. */
function forgettingMessages(storage: Storage, ingest: Ingest, clock: Clock | undefined): MaintenanceTask {
  const name = 'forgetMessages';
  const stored = new StoredHorizon(name, { storage, clock });
  return {
    name,
    async *steps() {
      const horizon = await stored.move();
      while ((await ingest.forget(horizon)) === 'more') yield;
    },
  };
}

function droppingBuckets(limiter: RateLimiter): MaintenanceTask {
  return {
    name: 'dropFullBuckets',
    async *steps() {
      while ((await limiter.forget()) === 'more') yield;
    },
  };
}
