import { type Kysely, sql, type Transaction } from 'kysely';
import { UserError } from '@branchline/command-line';
import { MIGRATION_TABLE } from '../migrate.ts';
import { TABLES, type Tables } from '../tables.ts';

/** Tables that every version has made, and that hardly another program has all of. */
const SIGNS = [MIGRATION_TABLE, 'service_accounts', 'api_keys'];

/**
 * Makes sure that no second, empty installation is made where the database has one that this role does not find, as where the first
 * was made by a role with a schema of its own name. Whoever has set the search path gets what it leads to.
 *
 * @param place the name of the database, for errors
 * @throws UserError that says how it is found
 */
export async function refuseSecondInstallation(tx: Transaction<Tables>, place: string): Promise<void> {
  const { rows } = await sql<{ schema: string; role: string; database: string }>`
    select quote_ident(nspname) as schema, quote_ident(current_user) as role, quote_ident(current_database()) as database
    from pg_catalog.pg_namespace n
    where to_regclass(${sql.lit(MIGRATION_TABLE)}) is null
      and (select source from pg_catalog.pg_settings where name = 'search_path') = 'default'
      and (select count(*) from pg_catalog.pg_class where relnamespace = n.oid and relname in (${sql.join(SIGNS.map(sql.lit))}))
        = ${sql.lit(SIGNS.length)}
    limit 1`.execute(tx);
  const [found] = rows;
  if (found === undefined) return;
  const { schema, role, database } = found;
  throw new UserError(
    `The PostgreSQL database ${place} has the tables of Branchline in its schema ${schema}, where the role ${role} does not look for them. ` +
      `Use the role that made them, or as an administrator of that database: alter role ${role} in database ${database} set ` +
      `search_path = ${schema}; (to make a second installation instead, name another schema there).`,
  );
}

/** Has new tables be made beside those that are there, until the transaction ends: a schema that comes first may have been made since. */
export async function makeTablesTogether(tx: Transaction<Tables>): Promise<void> {
  await sql`select set_config('search_path', quote_ident(nspname) || ', ' || current_setting('search_path'), true)
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.oid = to_regclass(${sql.lit(MIGRATION_TABLE)})`.execute(tx);
}

/**
 * Makes sure that our statements find our tables by their names, and not what another program has in a schema that comes first.
 *
 * @param place the name of the database, for errors
 * @throws UserError that says what is in the way
 */
export async function refuseTablesInFront(db: Kysely<Tables>, place: string): Promise<void> {
  const { rows } = await sql<{ found: string; schema: string }>`
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as found,
      (select quote_ident(nspname) from pg_catalog.pg_namespace where oid = ours.relnamespace) as schema
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace, pg_catalog.pg_class ours
    where ours.oid = to_regclass(${sql.lit(MIGRATION_TABLE)}) and c.relnamespace != ours.relnamespace
      and c.oid in (${sql.join(TABLES.map((table) => sql`to_regclass(${sql.lit(table)})`))})
    order by 1 limit 1`.execute(db);
  const [inFront] = rows;
  if (inFront === undefined) return;
  throw new UserError(
    `In the PostgreSQL database ${place} the name of a table of Branchline leads to ${inFront.found}, of another program, and not to ` +
      `the schema ${inFront.schema}, where the tables of Branchline are. Set search_path = ${inFront.schema} for the role, or rename that table.`,
  );
}
