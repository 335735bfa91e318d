import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { Decide } from './decisions.ts';
import { type Actor, type BranchEvent, eventRow } from './events.ts';
import { type BranchStatus, isOpen, OPEN_STATUSES } from './lifecycle.ts';
import { apply } from './projection.ts';
import type { BranchRow } from './tables.ts';

/** How often a change is decided anew because another process was faster. Each round lets at least one of them through. */
const MAX_ATTEMPTS = 50;

/**
 * Literal values, not parameters: both engines need them to see that the partial unique index `branches_open_name` applies.
 */
const holdsItsName = sql<boolean>`status in (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))})`;

/** Where a branch is found. */
export interface BranchKey {
  workspaceId: string;
  branchId: string;
}

/** What is asked for, by whom and when (milliseconds since 1970, UTC). */
export interface Change extends BranchKey {
  actor: Actor;
  at: number;
  decide: Decide;
}

export type Changed = { branch: BranchRow } | { refused: string } | 'nameTaken' | 'notFound';

/** Which branches are meant: all of them, or those with one of the statuses. */
export interface BranchFilter {
  workspaceId: string;
  statuses?: readonly BranchStatus[] | undefined;
}

/** The place in the order of branches after which a page begins. */
export type Place = readonly [createdAt: number, branchId: string];

/** The branches of all workspaces and their logs. */
export function branchStore(storage: Storage) {
  return {
    /**
     * Creates a branch with its event, both or neither.
     *
     * @returns undefined when an open branch has the name; the unique index decides, however many ask at once
     */
    create: ({
      name,
      ...made
    }: BranchKey & { name: string; actor: Actor; at: number }): Promise<BranchRow | undefined> =>
      storage.write(async (tx) => {
        const event: BranchEvent = { ...made, sequence: 1, happening: { type: 'created', name } };
        const branch = apply(undefined, event);
        if (!(await insertIfNameIsFree(tx, branch))) return undefined;
        await append(tx, event);
        return branch;
      }),

    find: (key: BranchKey): Promise<BranchRow | undefined> => find(storage.db, key),

    /** Decides on the branch as it stands and writes what follows; decides anew when the branch has changed meanwhile. */
    async change(change: Change): Promise<Changed> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const result = await storage.write((tx) => attemptChange(tx, change));
        if (result !== 'raced') return result;
      }
      throw new Error(
        `Branch ${change.branchId} was changed by others ${MAX_ATTEMPTS} times while it was to be changed.`,
      );
    },

    /** The first branches after a place, oldest first. */
    page(filter: BranchFilter, after: Place | undefined, limit: number): Promise<BranchRow[]> {
      const branches = inOrder(storage.db, filter).limit(limit);
      if (after === undefined) return branches.execute();
      return branches.where((row) => row(row.refTuple('created_at', 'branch_id'), '>', row.tuple(...after))).execute();
    },

    /** All branches, oldest first, from one snapshot that is taken when the first chunk is asked for. */
    stream: (filter: BranchFilter): AsyncIterable<BranchRow[]> => storage.stream((db) => inOrder(db, filter)),

    /** Which of the names open branches hold. */
    async namesTaken(workspaceId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
      const taken = await storage.db
        .selectFrom('branches')
        .select('name')
        .where('workspace_id', '=', workspaceId)
        .where('name', 'in', names)
        .where(holdsItsName)
        .execute();
      return new Set(taken.map(({ name }) => name));
    },
  };
}

async function attemptChange(tx: Kysely<Tables>, { decide, ...change }: Change): Promise<Changed | 'raced'> {
  const branch = await find(tx, change);
  if (branch === undefined) return 'notFound';
  const decision = decide(branch);
  if (decision === 'nothing') return { branch };
  if ('refused' in decision) return decision;
  const event: BranchEvent = { ...change, sequence: branch.sequence + 1, happening: decision.happens };
  const next = apply(branch, event);
  const reopens = isOpen(next.status) && !isOpen(branch.status);
  const outcome = await (reopens ? reopen(tx, branch, next) : replace(tx, branch, next));
  if (outcome !== 'written') return outcome;
  await append(tx, event);
  return { branch: next };
}

async function replace(tx: Kysely<Tables>, from: BranchRow, to: BranchRow): Promise<'written' | 'raced'> {
  const { numUpdatedRows } = await tx.updateTable('branches').set(to).where(asItWas(from)).executeTakeFirst();
  return numUpdatedRows === 1n ? 'written' : 'raced';
}

/** The name is taken in the way that a new branch takes it, so that the same index decides who of several gets it. */
async function reopen(tx: Kysely<Tables>, from: BranchRow, to: BranchRow): Promise<'written' | 'raced' | 'nameTaken'> {
  const { numDeletedRows } = await tx.deleteFrom('branches').where(asItWas(from)).executeTakeFirst();
  if (numDeletedRows !== 1n) return 'raced';
  if (await insertIfNameIsFree(tx, to)) return 'written';
  await tx.insertInto('branches').values(from).execute();
  return 'nameTaken';
}

async function insertIfNameIsFree(tx: Kysely<Tables>, branch: BranchRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('branches')
    .values(branch)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).where(holdsItsName).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function append(tx: Kysely<Tables>, event: BranchEvent): Promise<void> {
  await tx.insertInto('branch_events').values(eventRow(event)).execute();
}

async function find(db: Kysely<Tables>, { workspaceId, branchId }: BranchKey): Promise<BranchRow | undefined> {
  // A path can hold U+0000, which PostgreSQL refuses as text.
  if (branchId.includes('\0')) return undefined;
  return db
    .selectFrom('branches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('branch_id', '=', branchId)
    .executeTakeFirst();
}

/** The row that was read, if nothing has happened to it since. */
function asItWas({ workspace_id, branch_id, sequence }: BranchRow) {
  return (row: ExpressionBuilder<Tables, 'branches'>) => row.and({ workspace_id, branch_id, sequence });
}

/** By creation, then id. */
function inOrder(db: Kysely<Tables>, { workspaceId, statuses }: BranchFilter) {
  const branches = db.selectFrom('branches').selectAll().where('workspace_id', '=', workspaceId);
  const meant = statuses === undefined ? branches : branches.where('status', 'in', statuses);
  return meant.orderBy('created_at').orderBy('branch_id');
}
