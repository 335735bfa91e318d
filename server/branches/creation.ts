import type { Kysely } from 'kysely';
import { GroupCommit } from '../storage/group-commit.ts';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { isUnavailable } from '../storage/transient-errors.ts';
import type { Actor, BranchEvent } from './events.ts';
import { append, insertWhereNameIsFree } from './insert.ts';
import { apply } from './projection.ts';
import type { BranchRow } from './tables.ts';

/** Keeps the statements of a group well below what an engine binds. */
const MAX_GROUP = 500;

/** How many branches may wait to be created. Past it a request is answered at once that it may come again. */
const MAX_WAITING = 5_000;

/** A branch that is asked for, by whom and when (milliseconds since 1970, UTC). */
export interface Creation {
  workspaceId: string;
  branchId: string;
  name: string;
  actor: Actor;
  at: number;
}

/**
 * Creates branches, each with its event, both or neither. Those that are asked for at the same moment share a transaction, since
 * its cost is mostly that of making it durable; one that is asked for alone waits for nothing. Workspaces take turns.
 *
 * @returns a function that resolves, once it is durable, with the branch; with undefined when an open branch has the name;
 *   it throws NotTaken when too many wait already
 */
export function branchCreator(storage: Storage): (creation: Creation) => Promise<BranchRow | undefined> {
  const commits = new GroupCommit<Creation, BranchRow | undefined>({
    commit: (creations) => storage.write((tx) => createAll(tx, creations)),
    holderOf: ({ workspaceId }) => workspaceId,
    weigh: () => 1,
    meetsAll: isUnavailable,
    // All requests that have arrived are looked at before this.
    timer: setImmediate,
    delayMs: 0,
    maxGroupWeight: MAX_GROUP,
    maxWaitingWeight: MAX_WAITING,
    concurrency: storage.writers,
  });
  return (creation) => commits.submit(creation);
}

/** @param creations of one workspace */
async function createAll(
  tx: Kysely<Tables>,
  creations: readonly Creation[],
): Promise<readonly (BranchRow | undefined)[]> {
  const [first] = creations;
  if (first !== undefined) await requireLiveWorkspace(tx, first.workspaceId);
  const made = new Map(
    creations.map((creation) => {
      const event = createdEvent(creation);
      return [creation, { event, branch: apply(undefined, event) }];
    }),
  );
  // Every transaction takes names in the same order, so that two of them never wait for each other in a circle.
  const inOrder = [...made.values()].toSorted((a, b) => compare(a.branch, b.branch));
  const inserted = await insertWhereNameIsFree(
    tx,
    inOrder.map(({ branch }) => branch),
  );
  const events = inOrder.map(({ event }) => event).filter(({ branchId }) => inserted.has(branchId));
  if (events.length > 0) await append(tx, events);
  return [...made.values()].map(({ branch }) => (inserted.has(branch.branch_id) ? branch : undefined));
}

function createdEvent({ name, ...made }: Creation): BranchEvent {
  return { ...made, sequence: 1, happening: { type: 'created', name } };
}

function compare(a: BranchRow, b: BranchRow): number {
  return order(a.workspace_id, b.workspace_id) || order(a.name, b.name);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
