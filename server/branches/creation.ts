import type { Kysely } from 'kysely';
import { GroupCommit } from '../storage/group-commit.ts';
import { compileLiveLook, requireLive } from '../storage/live-workspace.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { executeLast, executeLastIf } from '../storage/together.ts';
import { isUnavailable } from '../storage/transient-errors.ts';
import type { Actor, BranchEvent } from './events.ts';
import { compileEvents, compileWhereNameIsFree } from './insert.ts';
import { apply } from './projection.ts';
import type { BranchRow } from './tables.ts';

/** Keeps a group's statements well below the engines' limit of bound parameters. */
const MAX_GROUP = 500;

/** The maximum number of waiting creations. Above it, requests are asked at once to come back later. */
const MAX_WAITING = 5_000;

/** A requested branch, its creator and the time (milliseconds since 1970, UTC). */
export interface Creation {
  workspaceId: string;
  branchId: string;
  name: string;
  actor: Actor;
  at: number;
}

/**
 * Creates branches, each with its event, both or neither. Concurrent requests share a transaction, since
 * making it durable is most of its cost; a single request does not wait. Workspaces take turns.
 *
 * @returns a function that resolves, once it is durable, with the branch, or with undefined if an open branch has the name;
 *   it throws NotTaken if too many are already waiting
 */
export function branchCreator(storage: Storage): (creation: Creation) => Promise<BranchRow | undefined> {
  const commits = new GroupCommit<Creation, BranchRow | undefined>({
    commit: (creations) => storage.write((tx) => createAll(tx, creations[0]?.workspaceId ?? '', creations)),
    holderOf: ({ workspaceId }) => workspaceId,
    weigh: () => 1,
    meetsAll: isUnavailable,
    // Runs after all requests that have arrived are read.
    timer: setImmediate,
    delayMs: 0,
    maxGroupWeight: MAX_GROUP,
    maxWaitingWeight: MAX_WAITING,
    concurrency: storage.writers,
    now: () => performance.now(),
  });
  return (creation) => commits.submit(creation);
}

/** @param creations the creations of one workspace, at least one */
async function createAll(
  tx: Kysely<Tables>,
  workspaceId: string,
  creations: readonly Creation[],
): Promise<readonly (BranchRow | undefined)[]> {
  const made = new Map(
    creations.map((creation) => {
      const event = createdEvent(creation);
      return [creation, { event, branch: apply(undefined, event) }];
    }),
  );
  // Every transaction takes names in the same order, so that two of them can't deadlock.
  const inOrder = [...made.values()].toSorted((a, b) => order(a.branch.name, b.branch.name));
  const branches = inOrder.map(({ branch }) => branch);
  const events = inOrder.map(({ event }) => event);
  const { found, isLast } = await executeLastIf(tx, {
    first: [compileLiveLook(tx, workspaceId), compileWhereNameIsFree(tx, branches)],
    // The workspace, and each branch: almost always.
    rows: 1 + branches.length,
    last: compileEvents(tx, events),
  });
  const [live, inserted] = found;
  requireLive(workspaceId, live);
  const ids = new Set(inserted.map(({ branch_id }) => branch_id));
  if (!isLast) {
    const happened = events.filter(({ branchId }) => ids.has(branchId));
    await executeLast(tx, [compileEvents(tx, happened)]);
  }
  return [...made.values()].map(({ branch }) => (ids.has(branch.branch_id) ? branch : undefined));
}

function createdEvent({ name, ...made }: Creation): BranchEvent {
  return { ...made, sequence: 1, happening: { type: 'created', name } };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
