import { expiryTask } from '../accounts/expired.ts';
import { emptyingWorkspaces } from '../accounts/workspace-end.ts';
import type { Clock } from '../clock.ts';
import { forgetMessages, forgetBatches } from '../inspector/retention/retention.ts';
import { DAY_MS } from '../inspector/hours.ts';
import { findingIssues } from '../inspector/issues/finding-issues.ts';
import { dropVolumes } from '../inspector/ingest/volumes.ts';
import type { Messages } from '../storage/messages.ts';
import type { RateLimiter } from '../storage/rate-limiter.ts';
import type { Storage } from '../storage/storage.ts';
import { StoredHorizon } from './stored-horizon.ts';
import type { MaintenanceTask } from './task.ts';

/** What is maintained. */
export interface Maintained {
  storage: Storage;
  limiter: RateLimiter;
  clock: Clock;
  /** Replaces the time that all servers of the database share. */
  sharedClock?: Clock | undefined;
}

/** What keeps the database small: one server of a database does it for all. */
export function maintenanceTasks({ storage, limiter, clock, sharedClock }: Maintained): MaintenanceTask[] {
  const tasks = [
    emptyingWorkspaces(storage, clock),
    forgettingMessages(storage, sharedClock),
    expiryTask(storage, sharedClock),
    findingIssues(storage, clock),
  ];
  const { messages } = storage;
  return [
    ...tasks,
    ...(limiter.shared ? [droppingFullBuckets(limiter)] : []),
    ...(messages === undefined ? [] : [droppingMessages(messages)]),
  ];
}

/** How much longer than messages the volume of events is kept: 100 days in all. */
const VOLUME_MS = 70 * DAY_MS;

/** Forgets the messages and batches that nobody sends again, and drops volume that is not shown any more. */
function forgettingMessages(storage: Storage, clock: Clock | undefined): MaintenanceTask {
  const name = 'forgetMessages';
  const stored = new StoredHorizon(name, { storage, clock });
  return {
    name,
    async *steps() {
      const move = await stored.nextMove();
      yield* forgetMessages(storage, move);
      await move.complete();
      yield* forgetBatches(storage, move.to);
      yield* dropVolumes(storage, move.to - VOLUME_MS);
    },
  };
}

/** Each minute: strangers leave a row for each network that they begin to sign in from. */
function droppingFullBuckets(limiter: RateLimiter): MaintenanceTask {
  return { name: 'dropFullBuckets', rest: 'inAMinute', steps: () => limiter.forget() };
}

function droppingMessages(messages: Messages): MaintenanceTask {
  return {
    name: 'dropMessages',
    rest: 'inAMinute',
    async *steps() {
      while ((await messages.forget()) === 'more') yield;
    },
  };
}
