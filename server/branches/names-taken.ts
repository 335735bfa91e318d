import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { holdsItsName } from './insert.ts';

/**
 * Returns which of the names open branches hold. Takes one step in the index of open names for each: given a list, SQLite would read
 * all open branches of the workspace instead. `offset 0` keeps PostgreSQL from planning a join, which may read them all, too.
 */
export async function namesTaken(
  db: Kysely<Tables>,
  workspaceId: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = sql.join(names.map((name) => sql`(${name})`));
  const { rows } = await sql<{ name: string }>`
    with wanted (name) as (values ${wanted})
    select wanted.name from wanted where exists (
      select 1 from branches
      where branches.workspace_id = ${workspaceId} and branches.name = wanted.name and ${holdsItsName}
      limit 1 offset 0
    )
  `.execute(db);
  return new Set(rows.map(({ name }) => name));
}
