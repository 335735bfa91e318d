import { sql } from 'kysely';
import type { Storage } from './storage.ts';
import { WORKSPACE_KEYS, type WorkspaceTable } from './tables.ts';

/** The number of rows per transaction, so that nobody waits long for it. */
const STEP_ROWS = 1_000;

/** What is deleted: the rows of all workspaces whose value is less than the bound. */
export interface Outdated {
  table: WorkspaceTable;
  /** Has an index. */
  column: string;
  /** A time in milliseconds, or a day as text. */
  before: number | string;
}

/**
 * Deletes outdated rows in short transactions, the oldest first. Each begins where the last one ended: rows that are deleted, and kept
 * for a snapshot that somebody holds, as `pg_dump` does, are not read again.
 *
 * @returns after each transaction but the last
 */
export async function* deleteBefore(storage: Storage, outdated: Outdated): AsyncGenerator<void> {
  let from: Outdated['before'] | undefined = typeof outdated.before === 'number' ? Number.MIN_SAFE_INTEGER : '';
  for (;;) {
    from = await deleteSome(storage, outdated, from);
    if (from === undefined) return;
    yield;
  }
}

/** @returns the least value that rows which are left may have, unless none are left */
async function deleteSome(
  storage: Storage,
  { table, column, before }: Outdated,
  from: Outdated['before'],
): Promise<Outdated['before'] | undefined> {
  const value = sql.ref(column);
  const key = sql.join(['workspace_id', ...WORKSPACE_KEYS[table]].map((name) => sql.ref(name)));
  const oldest = sql`select ${key} from ${sql.table(table)} where ${value} >= ${from} and ${value} < ${before}
    order by ${value} limit ${STEP_ROWS}`;
  const { rows } = await storage.write((tx) =>
    sql<{ value: Outdated['before'] }>`delete from ${sql.table(table)} where (${key}) in (${oldest})
      returning ${value} as value`.execute(tx),
  );
  if (rows.length < STEP_ROWS) return undefined;
  return rows.reduce((most, row) => (row.value > most ? row.value : most), from);
}
