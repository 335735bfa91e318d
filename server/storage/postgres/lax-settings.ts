import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** A setting with which answers promise more than the database keeps. */
interface LaxSetting {
  name: string;
  value: string;
  /** What may be lost. */
  loss: string;
}

const LAX: readonly LaxSetting[] = [
  {
    name: 'synchronous_commit',
    value: 'off',
    loss: 'what was answered in the moments before PostgreSQL crashes is lost, and clients do not send it again',
  },
  { name: 'fsync', value: 'off', loss: 'when its machine crashes, all of it may be lost or damaged' },
  {
    name: 'client_min_messages',
    value: 'error',
    loss: 'a write whose wait for a synchronous standby is cancelled is answered as done, and a failover to that standby loses it',
  },
];

/**
 * What the operator has set so that answers promise more than the database keeps, a sentence for each.
 *
 * @param place the name of the database
 */
export async function describeLaxSettings(db: Kysely<Tables>, place: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_catalog.pg_settings
    where name in (${sql.join(LAX.map(({ name }) => sql.lit(name)))})`.execute(db);
  const isSet = ({ name, value }: LaxSetting) => rows.some((row) => row.name === name && row.setting === value);
  return LAX.filter(isSet).map(
    ({ name, value, loss }) => `The PostgreSQL database ${place} has ${name} = ${value}: ${loss}.`,
  );
}
