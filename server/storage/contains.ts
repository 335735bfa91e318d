import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from './tables.ts';
import { isPostgres } from './text-column.ts';

/** Whether a column's text contains another, byte by byte: no character of either means anything else than itself. */
export function contains(db: Kysely<Tables>, column: string, text: string): RawBuilder<SqlBool> {
  return isPostgres(db) ? sql`strpos(${sql.ref(column)}, ${text}) > 0` : sql`instr(${sql.ref(column)}, ${text}) > 0`;
}
