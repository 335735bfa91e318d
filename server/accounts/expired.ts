import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { MaintenanceTask } from '../maintenance/task.ts';
import { databaseTime } from '../storage/database-time.ts';
import type { Storage } from '../storage/storage.ts';
import { WORKSPACE_KEYS } from '../storage/tables.ts';
import { REMEMBERED_MS } from './oidc/finished-sign-ins.ts';
import { LONGEST_IDLE_MS } from './sessions.ts';

/** The number of rows per transaction, so that nobody waits long for it. */
const MOST_ROWS = 1_000;

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
      for (const expiring of EXPIRING) while (await dropSome(storage, expiring, now - expiring.afterMs)) yield;
    },
  };
}

/** @returns whether there may be more */
async function dropSome(
  storage: Storage,
  { table, column }: (typeof EXPIRING)[number],
  until: number,
): Promise<boolean> {
  const key = sql.join(['workspace_id', ...WORKSPACE_KEYS[table]].map((name) => sql.ref(name)));
  const expired = sql`select ${key} from ${sql.table(table)} where ${sql.ref(column)} <= ${until}
    order by ${sql.ref(column)} limit ${MOST_ROWS}`;
  const { numDeletedRows } = await storage.write((tx) =>
    tx
      .deleteFrom(table)
      .where(sql<boolean>`(${key}) in (${expired})`)
      .executeTakeFirst(),
  );
  return Number(numDeletedRows) === MOST_ROWS;
}
