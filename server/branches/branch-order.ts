import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { type BranchStatus, STATUSES } from './lifecycle.ts';

/** The filters that indexes support; a filter that is left out, or empty, matches all. */
export interface BranchFilter {
  workspaceId: string;
  statuses?: readonly BranchStatus[] | undefined;
  creatorId?: string | undefined;
}

/** By creation, then id. */
export type Sort = 'oldest' | 'newest';

type Branches = ReturnType<typeof selectBranches>;

/**
 * Reads all branches in order. One index has all branches of a workspace in order, others those of each status, and of each creator
 * and status. With several statuses, each is read on its own and merged, so that no unwanted branch is read.
 */
export function orderBranches(db: Kysely<Tables>, filter: BranchFilter, sort: Sort) {
  const [first, ...others] = splitByStatus(db, filter);
  const merged = others.map((part) => part.selectAll()).reduce((all, part) => all.unionAll(part), first.selectAll());
  return merged.orderBy('created_at', DIRECTIONS[sort]).orderBy('branch_id', DIRECTIONS[sort]);
}

/** A range of the branches in order: a limit, after an offset. */
export interface Portion {
  sort: Sort;
  skip?: number;
  limit: number;
}

/**
 * Reads the first branches in order. With several statuses, it reads the first of each, so that an engine that prefers
 * sorting to merging sorts no more than these.
 *
 * @param select the columns to read
 */
export async function takeFirstInOrder<Row>(
  db: Kysely<Tables>,
  filter: BranchFilter,
  { sort, skip = 0, limit }: Portion,
  select: (branches: Branches) => SelectQueryBuilder<Tables, 'branches', Row>,
): Promise<Row[]> {
  const direction = DIRECTIONS[sort];
  const inOrderOf = (part: Branches) =>
    select(part).orderBy('branches.created_at', direction).orderBy('branches.branch_id', direction);
  const [first, ...others] = splitByStatus(db, filter);
  if (others.length === 0) return inOrderOf(first).offset(skip).limit(limit).$castTo<Row>().execute();
  const ofEach = [first, ...others].map((part) => sql`select * from (${inOrderOf(part).limit(skip + limit)}) as part`);
  const { rows } = await sql<Row>`${sql.join(ofEach, sql` union all `)}
    order by created_at ${sql.raw(direction)}, branch_id ${sql.raw(direction)}
    limit ${limit} offset ${skip}`.execute(db);
  return rows;
}

const DIRECTIONS = { oldest: 'asc', newest: 'desc' } as const;

function splitByStatus(
  db: Kysely<Tables>,
  { workspaceId, statuses = [], creatorId }: BranchFilter,
): [Branches, ...Branches[]] {
  const branches = selectBranches(db, workspaceId);
  const created = creatorId === undefined ? branches : branches.where('creator_id', '=', creatorId);
  const [first, ...others] = statuses.length === 0 && creatorId !== undefined ? STATUSES : new Set(statuses);
  if (first === undefined) return [branches];
  const ofStatus = (status: BranchStatus) => created.where('status', '=', status);
  return [ofStatus(first), ...others.map(ofStatus)];
}

function selectBranches(db: Kysely<Tables>, workspaceId: string) {
  return db.selectFrom('branches').where('workspace_id', '=', workspaceId);
}
