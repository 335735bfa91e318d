import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Tables } from './tables.ts';
import { isPostgres } from './text-column.ts';

/**
 * The current time in milliseconds since 1970, as SQL: on PostgreSQL the database's, since the clocks of several servers
 * differ; on SQLite, which has one server, the machine's.
 *
 * @param clock replaces the time
 */
export function databaseTime(db: Kysely<Tables>, clock: Clock | undefined): RawBuilder<number> {
  if (clock === undefined && isPostgres(db)) return sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  return sql.lit(Math.floor((clock ?? Date.now)()));
}
