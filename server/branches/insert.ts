import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { ManyRows } from '../storage/many-rows.ts';
import type { Tables } from '../storage/tables.ts';
import { type BranchEvent, toEventRow } from './events.ts';
import { OPEN_STATUSES } from './lifecycle.ts';
import type { BranchEventRow, BranchRow } from './tables.ts';

/** In the order in which a row's values are written. */
export const BRANCH_COLUMNS = [
  'workspace_id',
  'branch_id',
  'name',
  'status',
  'creator_id',
  'creator_email',
  'created_at',
  'collaborators',
  'last_published_at',
  'ready_at',
  'ready_email',
  'merged_at',
  'merged_email',
  'sequence',
] as const satisfies readonly (keyof BranchRow)[];

export const EVENT_COLUMNS = [
  'workspace_id',
  'branch_id',
  'sequence',
  'type',
  'happened_at',
  'account_id',
  'user_email',
  'data',
] as const satisfies readonly (keyof BranchEventRow)[];

/**
 * Literal values, not parameters: both engines need them to see that the partial unique index `branches_open_name` applies.
 */
export const holdsItsName = sql<boolean>`status in (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))})`;

const insertWhereFree = new ManyRows(BRANCH_COLUMNS, (db, rows: readonly BranchRow[]) =>
  db
    .insertInto('branches')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).where(holdsItsName).doNothing())
    .returning('branch_id'),
);

/**
 * What inserts the branches whose name no open branch has; if several share a name, the first. It gives the ids of the inserted
 * ones: the unique index decides between concurrent requests.
 */
export function compileWhereNameIsFree(
  tx: Kysely<Tables>,
  branches: readonly BranchRow[],
): CompiledQuery<Pick<BranchRow, 'branch_id'>>[] {
  return insertWhereFree.compile(tx, branches);
}

const insertEvents = new ManyRows(EVENT_COLUMNS, (db, rows: readonly BranchEventRow[]) =>
  db.insertInto('branch_events').values(rows),
);

/** What appends events to the logs of their branches. */
export function compileEvents(tx: Kysely<Tables>, events: readonly BranchEvent[]): CompiledQuery[] {
  return insertEvents.compile(tx, events.map(toEventRow));
}
