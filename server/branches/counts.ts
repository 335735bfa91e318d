import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { type BranchStatus, STATUSES } from './lifecycle.ts';

/** Higher counts are reported as this number plus one, which bounds the cost of counting. */
export const MOST_COUNTED = 10_000;

/** Counts the branches of a workspace by status, all at one moment. */
export async function countBranches(db: Kysely<Tables>, workspaceId: string): Promise<Record<BranchStatus, number>> {
  const columns = STATUSES.map((status) => sql`(${countStatus(db, workspaceId, status)}) as ${sql.ref(status)}`);
  const { rows } = await sql<Record<BranchStatus, number>>`select ${sql.join(columns)}`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('A query without a table has one row.');
  return counts;
}

/** Ordered, so that no engine prefers a full table scan to the index. */
function countStatus(db: Kysely<Tables>, workspaceId: string, status: BranchStatus) {
  const some = db
    .selectFrom('branches')
    .select('branch_id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', status)
    .orderBy('created_at')
    .orderBy('branch_id')
    .limit(MOST_COUNTED + 1);
  return db.selectFrom(some.as('some')).select(({ fn }) => fn.countAll<number>().as('count'));
}
