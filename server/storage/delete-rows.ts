import { type RawBuilder, sql } from 'kysely';
import type { Storage } from './storage.ts';
import { WORKSPACE_KEYS, type WorkspaceTable } from './tables.ts';

/** The number of rows per transaction. */
const STEP_ROWS = 1_000;

/**
 * Deletes all rows of a workspace from the tables, in short transactions. It goes through each table once,
 * in the order of the primary key, so no rows may be added in the meantime.
 *
 * @returns after each transaction, the number of rows deleted by it
 */
export async function* deleteRows(
  storage: Storage,
  workspaceId: string,
  tables: readonly WorkspaceTable[],
): AsyncGenerator<number, void> {
  for (const table of tables) {
    let after: readonly unknown[] | undefined;
    do {
      const step = await deleteSome(storage, table, workspaceId, after);
      after = step.last;
      yield step.deleted;
    } while (after !== undefined);
  }
}

/** @returns the key up to which rows were deleted, unless none are left */
function deleteSome(
  storage: Storage,
  table: WorkspaceTable,
  workspaceId: string,
  after: readonly unknown[] | undefined,
): Promise<{ deleted: number; last: readonly unknown[] | undefined }> {
  const columns = WORKSPACE_KEYS[table];
  const key = tuple(columns.map((column) => sql.ref(column)));
  // Ranges of the primary key, which every planner uses: deleted rows are not read again.
  const rest = sql`workspace_id = ${workspaceId}${after === undefined ? sql`` : sql` and ${key} > ${tuple(after)}`}`;
  return storage.write(async (tx) => {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)} where ${rest}
      order by ${sql.join(columns.map((column) => sql.ref(column)))} limit 1 offset ${sql.lit(STEP_ROWS - 1)}
    `.execute(tx);
    const last = rows[0] && columns.map((column) => rows[0]?.[column]);
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${rest}${last === undefined ? sql`` : sql` and ${key} <= ${tuple(last)}`}
    `.execute(tx);
    return { deleted: Number(numAffectedRows), last };
  });
}

function tuple(values: readonly unknown[]): RawBuilder<unknown> {
  return sql`(${sql.join(values)})`;
}
