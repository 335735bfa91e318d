import type { Storage } from '../../storage/storage.ts';
import type { Decide } from '../decisions.ts';
import type { BranchEventPayload } from '../events.ts';
import { branchStore, type Changed } from '../store.ts';
import type { BranchRow } from '../tables.ts';

export const ACTOR = { actorId: 'account-1', userEmail: 'ci@example.com' };

/** The id of the branch that was created at a time; ids are in the order of time. */
export function idAt(time: number): string {
  return `019a0b7c-3f7e-7c31-8f5e-${time.toString(16).padStart(12, '0')}`;
}

/** Creates a branch in the workspace `demo`. */
export function createBranch(storage: Storage, name: string, at = 1): Promise<BranchRow | undefined> {
  return branchStore(storage).create({ workspaceId: 'demo', branchId: idAt(at), name, actor: ACTOR, at });
}

/** Changes a branch of the workspace `demo`. */
export function changeBranch(storage: Storage, branchId: string, decide: Decide, at = 2): Promise<Changed> {
  return branchStore(storage).change({ workspaceId: 'demo', branchId, actor: ACTOR, clock: () => at, decide });
}

/** Lets something happen to a branch of the workspace `demo`, whether or not the rules allow it. */
export function happen(
  storage: Storage,
  branchId: string,
  happening: BranchEventPayload,
  at?: number,
): Promise<Changed> {
  return changeBranch(storage, branchId, () => ({ happens: happening }), at);
}

export function findBranch(storage: Storage, branchId: string): Promise<BranchRow | undefined> {
  return branchStore(storage).find({ workspaceId: 'demo', branchId });
}
