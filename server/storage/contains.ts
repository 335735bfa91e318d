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

/**
 * Whether a text contains another, byte by byte but for the case of the letters A to Z.
 *
 * @param within a column, or an expression; on PostgreSQL of the collation "C"
 */
export function containsInAnyCase(
  db: Kysely<Tables>,
  within: string | RawBuilder<string>,
  text: string,
): RawBuilder<SqlBool> {
  const whole = typeof within === 'string' ? sql.ref(within) : within;
  if (isPostgres(db))
    return contains(
      db,
      sql`lower(${whole})`,
      text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    );
  // Takes a fraction of the time of `lower`, which copies the text.
  return sql`${whole} like ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} escape ${'\\'}`;
}
