import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Storage } from './storage.ts';
import { StepRows } from './step-rows.ts';
import { type Tables, WORKSPACE_KEYS } from './tables.ts';
import { isPostgres } from './text-column.ts';

/** As {@link WORKSPACE_KEYS}, also of buckets, which PostgreSQL alone has. */
const KEYS = { ...WORKSPACE_KEYS, rate_limits: ['holder_id', 'operation'] } as const;

type Table = keyof typeof KEYS;

/**
 * Deletes all rows of a workspace from the tables, in short transactions. It goes through each table that has any once,
 * in the order of the primary key, so it misses rows that are added in the meantime.
 *
 * @returns after each transaction, the number of rows deleted by it
 */
export async function* deleteRows(
  storage: Storage,
  workspaceId: string,
  tables: readonly Table[],
): AsyncGenerator<number, void> {
  for (const table of await findFilled(storage, workspaceId, tables)) {
    let after: readonly unknown[] | undefined;
    const rows = new StepRows();
    do {
      const step = await deleteSome(storage, { table, workspaceId, after, most: rows.count });
      rows.learnFrom(step.tookMs);
      after = step.last;
      yield step.deleted;
    } while (after !== undefined);
  }
}

/** A transaction for each table, of which a workspace may have rows in few or none, would take many times as long. */
async function findFilled({ db }: Storage, workspaceId: string, tables: readonly Table[]): Promise<Table[]> {
  const looks = tables.map((table) => {
    // In order, or a planner might look for the first through other workspaces' rows.
    const key = sql.join(KEYS[table].map((column) => sql.ref(column)));
    const first = sql`select 1 from ${sql.table(table)} where workspace_id = ${workspaceId} order by ${key} limit 1`;
    return sql`(${first}) as ${sql.ref(table)}`;
  });
  const { rows } = await sql<Partial<Record<Table, 1 | null>>>`select ${sql.join(looks)}`.execute(db);
  return tables.filter((table) => rows[0]?.[table] === 1);
}

/** What one transaction deletes. */
interface Step {
  table: Table;
  workspaceId: string;
  /** The key of the last row that was deleted. */
  after: readonly unknown[] | undefined;
  /** How many rows. */
  most: number;
}

/** @returns the key up to which rows were deleted, unless none are left */
function deleteSome(
  storage: Storage,
  { table, workspaceId, after, most }: Step,
): Promise<{ deleted: number; last: readonly unknown[] | undefined; tookMs: number }> {
  const columns = KEYS[table];
  const ordered = sql.join(columns.map((column) => sql.ref(column)));
  const key = sql`(${ordered})`;
  // From a place in the primary key on, which every planner uses: deleted rows are not read again.
  const rest = sql`workspace_id = ${workspaceId}${after === undefined ? sql`` : sql` and ${key} > ${tuple(after)}`}`;
  return storage.write(async (tx) => {
    const began = performance.now();
    const { rows } = await sql<Record<string, unknown>>`
      select ${ordered} from ${sql.table(table)} where ${rest} order by ${ordered} limit 1 offset ${most - 1}
    `.execute(tx);
    const last = rows[0] && columns.map((column) => rows[0]?.[column]);
    // PostgreSQL ends the scan of a range only where its first column does, or scans the whole table: it deletes rows by their places.
    const places = sql`select ctid from ${sql.table(table)} where ${rest} order by ${ordered} limit ${most}`;
    const byPlaces =
      last !== undefined && isPostgres(storage.db)
        ? await remove(tx, table, sql`workspace_id = ${workspaceId} and ctid = any(array(${places}))`)
        : 0;
    // Rows that somebody has changed meanwhile have other places.
    const range = last === undefined ? rest : sql`${rest} and ${key} <= ${tuple(last)}`;
    const byRange = byPlaces === most ? 0 : await remove(tx, table, range);
    return { deleted: byPlaces + byRange, last, tookMs: performance.now() - began };
  });
}

async function remove(tx: Transaction<Tables>, table: Table, where: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${where}`.execute(tx);
  return Number(numAffectedRows);
}

function tuple(values: readonly unknown[]): RawBuilder<unknown> {
  return sql`(${sql.join(values)})`;
}
