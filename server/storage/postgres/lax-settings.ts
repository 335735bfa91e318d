import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** What may be lost with a setting that is off. */
const LOSSES = {
  synchronous_commit:
    'what was answered in the moments before PostgreSQL crashes is lost, and clients do not send it again',
  fsync: 'when its machine crashes, all of it may be lost or damaged',
} as const;

/**
 * What the operator has set so that answers promise more than the database keeps, a sentence for each.
 *
 * @param place the name of the database
 */
export async function describeLaxSettings(db: Kysely<Tables>, place: string): Promise<string[]> {
  const { rows } = await sql<{ name: keyof typeof LOSSES }>`select name from pg_catalog.pg_settings
    where name in (${sql.join(Object.keys(LOSSES).map(sql.lit))}) and setting = 'off' order by name desc`.execute(db);
  return rows.map(({ name }) => `The PostgreSQL database ${place} has ${name} = off: ${LOSSES[name]}.`);
}
