import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { PlaceFilter } from './index-orders.ts';

/** About how many rows a report has the database go through in one turn. */
const ROWS_OF_A_TURN = 20_000;

/** More than a workspace has. */
const MOST_COUNTED = 100_000;

/** How many sources a report is about, in at most each of which what it reads has a row. */
export async function countSources(
  db: Kysely<Tables>,
  workspaceId: string,
  { source }: Pick<PlaceFilter, 'source'>,
): Promise<number> {
  if (source !== undefined) return 1;
  const { count } = await db
    .selectFrom(
      db.selectFrom('sources').select('source').where('workspace_id', '=', workspaceId).limit(MOST_COUNTED).as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Math.max(1, Number(count));
}

/** Of how many things that have so many rows each one turn may read. */
export function fitInTurn(rowsOfEach: number): number {
  return Math.max(1, Math.floor(ROWS_OF_A_TURN / rowsOfEach));
}

/** Splits what is to be read into the parts of one turn each. */
export function* splitByRows<Wanted>(wanted: readonly Wanted[], rowsOfEach: number): Generator<Wanted[], void> {
  const size = fitInTurn(rowsOfEach);
  for (let start = 0; start < wanted.length; start += size) yield wanted.slice(start, start + size);
}
