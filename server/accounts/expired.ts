import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { MaintenanceTask } from '../maintenance/task.ts';
import { databaseTime } from '../storage/database-time.ts';
import { deleteBefore } from '../storage/delete-before.ts';
import type { Storage } from '../storage/storage.ts';
import { REMEMBERED_MS } from './oidc/finished-sign-ins.ts';
import { LONGEST_IDLE_MS } from './sessions.ts';

/** The tables that expire, with the time column: rows expire at that time, or this long after it. */
const EXPIRING = [
  { table: 'sessions', column: 'expires_at', afterMs: 0 },
  { table: 'sessions', column: 'last_used_at', afterMs: LONGEST_IDLE_MS },
  { table: 'sign_in_links', column: 'expires_at', afterMs: 0 },
  { table: 'finished_sign_ins', column: 'finished_at', afterMs: REMEMBERED_MS },
] as const;

/**
 * Deletes expired sessions and sign-in links, sessions that were not used for too long, and the marks of finished sign-ins, in all
 * workspaces. None of what is deleted or marked works any more.
 */
export function expiryTask(storage: Storage, clock: Clock | undefined): MaintenanceTask {
  return {
    name: 'dropExpired',
    async *steps() {
      const { rows } = await sql<{ now: number }>`select ${databaseTime(storage.db, clock)} as now`.execute(storage.db);
      const now = rows[0]?.now ?? 0;
      for (const { afterMs, ...expiring } of EXPIRING) {
        // At that time they let nobody in any more.
        yield* deleteBefore(storage, { ...expiring, before: now - afterMs + 1 });
      }
    },
  };
}
