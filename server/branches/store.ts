import type { ExpressionBuilder, Kysely } from 'kysely';
import { NotTaken } from '../storage/group-commit.ts';
import { compileLiveLook, requireLive } from '../storage/live-workspace.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { executeLast, executeTogether } from '../storage/together.ts';
import { branchEvents } from './activity.ts';
import { countBranches } from './counts.ts';
import { branchCreator } from './creation.ts';
import type { Decide } from './decisions.ts';
import type { Actor, BranchEvent } from './events.ts';
import { type BranchFilter, orderBranches } from './branch-order.ts';
import { compileEvents, compileWhereNameIsFree } from './insert.ts';
import { type BranchStatus, isOpen } from './lifecycle.ts';
import { type BranchList, type BranchPage, branchPage, type PageBounds } from './list.ts';
import { namesTaken } from './names-taken.ts';
import { apply } from './projection.ts';
import type { BranchRow } from './tables.ts';

/** The number of attempts when other processes change the branch first. Each round lets at least one of them through. */
const MAX_ATTEMPTS = 50;

/** The key of a branch. */
export interface BranchKey {
  workspaceId: string;
  branchId: string;
}

/** A change and its actor. */
export interface Change extends BranchKey {
  actor: Actor;
  /**
   * Gives its time, in milliseconds since 1970, UTC: asked for once the state before it was read, so that the changes of a branch
   * are dated in their order, however long they wait for each other.
   */
  clock: () => number;
  decide: Decide;
}

export type Changed = { branch: BranchRow } | { refused: string } | 'nameTaken' | 'notFound';

/** The branches of all workspaces and their logs. */
export function branchStore(storage: Storage) {
  return {
    /** Creates a branch; undefined if an open branch has the name. */
    create: branchCreator(storage),

    find: (key: BranchKey): Promise<BranchRow | undefined> => selectBranch(storage.db, key).executeTakeFirst(),

    /**
     * Decides on the branch's current state and writes the result; decides again if the branch has changed in the meantime.
     *
     * @throws NotTaken when others were faster each time
     */
    async change(change: Change): Promise<Changed> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const result = await storage.write((tx) => attemptChange(tx, change));
        if (result !== 'raced') return result;
      }
      throw new NotTaken('Others are changing the branch all the time. Try again in a moment.');
    },

    /** Returns a page of a list. */
    page: (list: BranchList, bounds: PageBounds): Promise<BranchPage> => branchPage(storage.db, list, bounds),

    /** Counts the branches by status, up to one more than {@link MOST_COUNTED}. */
    count: (workspaceId: string): Promise<Record<BranchStatus, number>> => countBranches(storage.db, workspaceId),

    /** Returns a branch's first events after a position, oldest first; none if there is no such branch. */
    activity: (key: BranchKey, after: number, limit: number): Promise<BranchEvent[]> =>
      branchEvents(storage.db, key, after, limit),

    /** Reads all branches, oldest first, from one snapshot taken when the first chunk is requested. */
    stream: (filter: BranchFilter): AsyncIterable<BranchRow[]> =>
      storage.stream((db) => orderBranches(db, filter, 'oldest'), filter.workspaceId),

    /** Returns the names that open branches hold. */
    namesTaken: (workspaceId: string, names: readonly string[]): Promise<ReadonlySet<string>> =>
      namesTaken(storage.db, workspaceId, names),
  };
}

async function attemptChange(tx: Kysely<Tables>, { decide, clock, ...change }: Change): Promise<Changed | 'raced'> {
  const [live, [branch]] = await executeTogether(tx, [
    compileLiveLook(tx, change.workspaceId),
    [selectBranch(tx, change).compile()],
  ]);
  requireLive(change.workspaceId, live);
  if (branch === undefined) return 'notFound';
  const decision = decide(branch);
  if (decision === 'nothing') return { branch };
  if ('refused' in decision) return decision;
  const event: BranchEvent = { ...change, at: clock(), sequence: branch.sequence + 1, happening: decision.happens };
  const next = apply(branch, event);
  const reopens = isOpen(next.status) && !isOpen(branch.status);
  const outcome = await (reopens ? reopen(tx, branch, next) : replace(tx, branch, next));
  if (outcome !== 'written') return outcome;
  await executeLast(tx, [compileEvents(tx, [event])]);
  return { branch: next };
}

async function replace(tx: Kysely<Tables>, from: BranchRow, to: BranchRow): Promise<'written' | 'raced'> {
  // An engine that shards by workspace allows no update of it, not even to the same value.
  const { workspace_id: _, ...columns } = to;
  const { numUpdatedRows } = await tx.updateTable('branches').set(columns).where(asItWas(from)).executeTakeFirst();
  return numUpdatedRows === 1n ? 'written' : 'raced';
}

/** Reopening takes the name like creation does, so that the same index decides between concurrent requests. */
async function reopen(tx: Kysely<Tables>, from: BranchRow, to: BranchRow): Promise<'written' | 'raced' | 'nameTaken'> {
  const { numDeletedRows } = await tx.deleteFrom('branches').where(asItWas(from)).executeTakeFirst();
  if (numDeletedRows !== 1n) return 'raced';
  const [inserted] = await executeTogether(tx, [compileWhereNameIsFree(tx, [to])]);
  if (inserted.length === 1) return 'written';
  await tx.insertInto('branches').values(from).execute();
  return 'nameTaken';
}

function selectBranch(db: Kysely<Tables>, { workspaceId, branchId }: BranchKey) {
  return db
    .selectFrom('branches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('branch_id', '=', branchId);
}

/** Matches the row that was read, if it has not changed since. */
function asItWas({ workspace_id, branch_id, sequence }: BranchRow) {
  return (row: ExpressionBuilder<Tables, 'branches'>) => row.and({ workspace_id, branch_id, sequence });
}
