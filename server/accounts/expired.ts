import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { MaintenanceTask } from '../maintenance/task.ts';
import { databaseTime } from '../storage/database-time.ts';
import type { Storage } from '../storage/storage.ts';
import { WORKSPACE_KEYS } from '../storage/tables.ts';

/** How many rows one transaction deletes, so that nobody waits long for it. */
const MOST_ROWS = 1_000;

/** What stops working at its `expires_at`. */
const EXPIRING = ['sessions', 'sign_in_links'] as const;

/** Deletes the sessions and sign-in links that have run out, of all workspaces: nobody is let in by one of them again. */
export function droppingExpired(storage: Storage, clock: Clock | undefined): MaintenanceTask {
  return {
    name: 'dropExpired',
    async *steps() {
      const { rows } = await sql<{ now: number }>`select ${databaseTime(storage.db, clock)} as now`.execute(storage.db);
      const now = rows[0]?.now ?? 0;
      for (const table of EXPIRING) while (await dropSome(storage, table, now)) yield;
    },
  };
}

/** @returns whether there may be more of them */
async function dropSome(storage: Storage, table: (typeof EXPIRING)[number], now: number): Promise<boolean> {
  const key = sql.join(['workspace_id', ...WORKSPACE_KEYS[table]].map((column) => sql.ref(column)));
  const expired = sql`select ${key} from ${sql.table(table)} where expires_at <= ${now}
    order by expires_at limit ${MOST_ROWS}`;
  const { numDeletedRows } = await storage.write((tx) =>
    tx
      .deleteFrom(table)
      .where(sql<boolean>`(${key}) in (${expired})`)
      .executeTakeFirst(),
  );
  return Number(numDeletedRows) === MOST_ROWS;
}
