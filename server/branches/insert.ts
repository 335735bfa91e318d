import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { type BranchEvent, toEventRow } from './events.ts';
import { OPEN_STATUSES } from './lifecycle.ts';
import type { BranchRow } from './tables.ts';

/**
 * Literal values, not parameters: both engines need them to see that the partial unique index `branches_open_name` applies.
 */
export const holdsItsName = sql<boolean>`status in (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))})`;

/**
 * Inserts the branches whose name no open branch has; if several share a name, the first.
 *
 * @returns the ids of the inserted branches; the unique index decides between concurrent requests
 */
export async function insertWhereNameIsFree(
  tx: Kysely<Tables>,
  branches: readonly BranchRow[],
): Promise<ReadonlySet<string>> {
  const inserted = await tx
    .insertInto('branches')
    .values(branches)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).where(holdsItsName).doNothing())
    .returning('branch_id')
    .execute();
  return new Set(inserted.map(({ branch_id }) => branch_id));
}

/** Appends events to the logs of their branches. */
export async function append(tx: Kysely<Tables>, events: readonly BranchEvent[]): Promise<void> {
  await tx.insertInto('branch_events').values(events.map(toEventRow)).execute();
}
