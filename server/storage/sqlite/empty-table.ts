import { sql } from 'kysely';
import type { Storage } from '../storage.ts';
import { WORKSPACE_KEYS, type WorkspaceTable } from '../tables.ts';

/** The number of rows per transaction, for which all else that is written waits: some 8 ms of it. */
const STEP_ROWS = 5_000;

/**
 * Deletes all rows in short transactions. Without a condition SQLite would drop the pages without looking at their rows, but it
 * reads each of them for that, in one transaction: of a table of some gigabytes for seconds.
 */
export async function* emptyTable(write: Storage['write'], table: WorkspaceTable): AsyncGenerator<void> {
  const key = sql.join(['workspace_id', ...WORKSPACE_KEYS[table]].map((column) => sql.ref(column)));
  const some = sql`select ${key} from ${sql.table(table)} limit ${sql.lit(STEP_ROWS)}`;
  for (let deleted = STEP_ROWS; deleted === STEP_ROWS;) {
    const { numDeletedRows } = await write((tx) =>
      tx
        .deleteFrom(table)
        .where(sql<boolean>`(${key}) in (${some})`)
        .executeTakeFirst(),
    );
    deleted = Number(numDeletedRows);
    yield;
  }
}
