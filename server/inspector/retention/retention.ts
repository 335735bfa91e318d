import { sql } from 'kysely';
import type { Storage } from '../../storage/storage.ts';
import { expiredTables } from '../ingest/message-slots.ts';

/** How many rows one transaction deletes, so that nobody waits long for it. */
const MOST_ROWS = 1_000;

/**
 * Forgets messages by the table: what a client says it observed within 3 days is forgotten together. One of them that is sent
 * again afterwards counts again.
 *
 * @param from before which time messages have been forgotten already; milliseconds since 1970, UTC
 * @param to before which time they are forgotten now
 */
export async function forgetMessages(storage: Storage, from: number, to: number): Promise<void> {
  for (const table of expiredTables(from, to)) await storage.empty(table);
}

/**
 * Forgets some of the batches that were received before a time. One of them that is sent again is judged event by event.
 *
 * @returns whether there may be more of them
 */
export async function forgetSomeBatches(storage: Storage, olderThan: number): Promise<boolean> {
  const key = sql`workspace_id, source_number, batch_id`;
  const old = sql`select ${key} from seen_batches where seen_at < ${olderThan} order by seen_at limit ${MOST_ROWS}`;
  const { numDeletedRows } = await storage.write((tx) =>
    tx
      .deleteFrom('seen_batches')
      .where(sql<boolean>`(${key}) in (${old})`)
      .executeTakeFirst(),
  );
  return Number(numDeletedRows) === MOST_ROWS;
}
