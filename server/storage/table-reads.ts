import { sql } from 'kysely';
import { type Tables, WORKSPACE_TABLES } from './tables.ts';

/**
 * Looks up one key in each table, which fails or waits if reads of it do. The key does not exist; the look-up takes one
 * path of the table's index, so its cost does not depend on the table's size.
 */
export function readEachTable(more: readonly (keyof Tables)[]): ReturnType<typeof sql> {
  const lookUps = ['workspaces' as const, ...WORKSPACE_TABLES, ...more].map(
    (table) => sql`(select 1 from ${sql.table(table)} where workspace_id = '' limit 1)`,
  );
  return sql`select ${sql.join(lookUps)}`;
}
