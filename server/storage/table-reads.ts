import { sql } from 'kysely';
import { type Tables, WORKSPACE_TABLES } from './tables.ts';

/**
 * Looks up one key in each table, which fails or waits where reads of it do. The key is nobody's; it is looked for along one
 * path of the table's index, so this costs the same however much is stored.
 */
export function readEachTable(more: readonly (keyof Tables)[]): ReturnType<typeof sql> {
  const lookUps = ['workspaces' as const, ...WORKSPACE_TABLES, ...more].map(
    (table) => sql`(select 1 from ${sql.table(table)} where workspace_id = '' limit 1)`,
  );
  return sql`select ${sql.join(lookUps)}`;
}
