import { sql } from 'kysely';
import type { Storage } from '../storage/storage.ts';

/** How many rows one transaction deletes. */
const BITE = 1_000;

const MEMORIES = [
  { table: 'seen_messages', key: ['workspace_id', 'source', 'message_id'] },
  { table: 'seen_batches', key: ['workspace_id', 'source', 'batch_id'] },
] as const;

/**
 * Deletes some of what is remembered of messages and batches that were received before a time (milliseconds since 1970, UTC).
 * One of them that is sent again afterwards counts again.
 *
 * @returns whether there may be more
 */
export async function forgetBefore(storage: Storage, olderThan: number): Promise<'more' | 'done'> {
  for (const { table, key } of MEMORIES) {
    if ((await forgetSome(storage, table, key, olderThan)) === BITE) return 'more';
  }
  return 'done';
}

async function forgetSome(
  storage: Storage,
  table: 'seen_messages' | 'seen_batches',
  key: readonly string[],
  olderThan: number,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const old = sql`select ${columns} from ${sql.table(table)} where seen_at < ${olderThan} order by seen_at limit ${BITE}`;
  const { numDeletedRows } = await storage.write((tx) =>
    tx
      .deleteFrom(table)
      .where(sql<boolean>`(${columns}) in (${old})`)
      .executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
