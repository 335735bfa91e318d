import { sql } from 'kysely';
import type { Storage } from '../../storage/storage.ts';
import { expiredTables } from '../ingest/message-slots.ts';

/** The number of rows per transaction, so that nobody waits long for it. */
const MOST_ROWS = 1_000;

/**
 * Deletes messages by the table: those that clients observed within the same 3 days are deleted together. If one of them is sent
 * again later, it counts again. Each turn of the iterator is one short step.
 *
 * @param from messages before this time are already deleted; milliseconds since 1970, UTC
 * @param to messages before this time are deleted now
 */
export async function* forgetMessages(storage: Storage, from: number, to: number): AsyncGenerator<void> {
  for (const table of expiredTables(from, to)) yield* storage.empty(table);
}

/**
 * Deletes some of the batches received before a time. If one of them is sent again, each of its events is checked on its own.
 *
 * @returns whether there may be more
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
