import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from './tables.ts';
import { isPostgres } from './text-column.ts';

/**
 * Whether a text contains another, byte by byte, without wildcards.
 *
 * @param within a column, or an expression
 */
export function contains(db: Kysely<Tables>, within: string | RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  const whole = typeof within === 'string' ? sql.ref(within) : within;
  return isPostgres(db) ? sql`strpos(${whole}, ${text}) > 0` : sql`instr(${whole}, ${text}) > 0`;
}
