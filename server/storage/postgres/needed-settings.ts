import { type Kysely, sql } from 'kysely';
import { UserError } from '@branchline/command-line';
import type { Tables } from '../tables.ts';

/** A setting that is relied on as PostgreSQL has it by default, and what is wrong where the database or the role has another. */
interface NeededSetting {
  name: string;
  /** As SQL. */
  value: string;
  fits: (present: string) => boolean;
  /** What is so in the database, and what is needed. */
  complain: (database: string, present: string) => string;
}

const NEEDED: readonly NeededSetting[] = [
  {
    // A statement by itself takes the isolation that is set, and all that meet at one row may then fail but one.
    name: 'default_transaction_isolation',
    value: "'read committed'",
    fits: (present) => present === 'read committed',
    complain: (database, present) =>
      `Transactions in ${database} are “${present}” by default, and Branchline needs “read committed”.`,
  },
  {
    // Rates and sums are read as text.
    name: 'extra_float_digits',
    value: '1',
    fits: (present) => Number(present) >= 1,
    complain: (database, present) =>
      `Numbers in ${database} are rounded when they are read (extra_float_digits is ${present}), and Branchline needs all of their digits.`,
  },
];

/**
 * Makes sure that new connections have the settings that are relied on.
 *
 * @param place the name of the database, for errors
 * @throws UserError that says how to put one back
 */
export async function requireSettings(db: Kysely<Tables>, place: string): Promise<void> {
  const present = NEEDED.map(({ name }) => sql`current_setting(${sql.lit(name)}) as ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, string>>`select
    quote_ident(current_database()) as database, ${sql.join(present)}`.execute(db);
  const [{ database = '', ...settings } = {}] = rows;
  for (const { name, value, fits, complain } of NEEDED) {
    const set = settings[name] ?? '';
    if (fits(set)) continue;
    throw new UserError(
      `${complain(`the PostgreSQL database ${place}`, set)} As its owner: alter database ${database} set ${name} = ${value}; or, ` +
        'where it is set for the role, alter role … with the same.',
    );
  }
}
