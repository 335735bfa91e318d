import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { STATEMENT_MS } from './dialect.ts';
import { CLOSED_IDLE_MS } from './pool.ts';

/** A setting with which the database does not keep what answers promise, or is away at times. */
interface LaxSetting {
  name: string;
  isLax: (setting: string) => boolean;
  /** What may happen. */
  effect: string;
}

const LAX: readonly LaxSetting[] = [
  {
    name: 'synchronous_commit',
    isLax: (setting) => setting === 'off',
    effect: 'what was answered in the moments before PostgreSQL crashes is lost, and clients do not send it again',
  },
  {
    name: 'fsync',
    isLax: (setting) => setting === 'off',
    effect: 'when its machine crashes, all of it may be lost or damaged',
  },
  {
    name: 'client_min_messages',
    isLax: (setting) => setting === 'error',
    effect:
      'a write whose wait for a synchronous standby is cancelled is answered as done, and a failover to that standby loses it',
  },
  {
    name: 'idle_session_timeout',
    isLax: (setting) => Number(setting) > 0 && Number(setting) < 2 * CLOSED_IDLE_MS,
    effect:
      'requests that meet a connection just as it is closed are answered with 503; 20s or more closes none that is used',
  },
  {
    name: 'statement_timeout',
    isLax: (setting) => Number(setting) > 0 && Number(setting) < STATEMENT_MS,
    effect: 'reads that take longer are answered with 503; Branchline has a bound of its own, of 5s',
  },
];

/**
 * What the operator has set so that the database keeps less than answers promise, or is away at times, a sentence for each.
 *
 * @param place the name of the database
 */
export async function describeLaxSettings(db: Kysely<Tables>, place: string): Promise<string[]> {
  const names = sql.join(LAX.map(({ name }) => sql.lit(name)));
  const { rows } = await sql<{ name: string; setting: string; shown: string }>`
    select name, setting, current_setting(name) as shown
    from pg_catalog.pg_settings where name in (${names})`.execute(db);
  return LAX.flatMap(({ name, isLax, effect }) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined || !isLax(row.setting)) return [];
    return `The PostgreSQL database ${place} has ${name} = ${row.shown}: ${effect}.`;
  });
}
