import type { components } from '../generated/types.ts';

export type BranchStatus = components['schemas']['BranchStatus'];

/** The statuses in which a branch holds its name. */
export const OPEN_STATUSES: readonly BranchStatus[] = ['Draft', 'ReadyForReview', 'Approved'];

/** The allowed transitions from each status (docs/decisions.md). */
const TRANSITIONS: Readonly<Record<BranchStatus, readonly BranchStatus[]>> = {
  Draft: ['ReadyForReview', 'Closed'],
  ReadyForReview: ['Draft', 'Approved', 'Closed'],
  Approved: ['Draft', 'ReadyForReview', 'Merged', 'Closed'],
  Merged: [],
  Closed: ['Draft'],
};

/** All statuses of branches. */
export const STATUSES = Object.keys(TRANSITIONS) as readonly BranchStatus[];

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** Whether a branch with this status holds its name. */
export function isOpen(status: BranchStatus): boolean {
  return OPEN_STATUSES.includes(status);
}

/**
 * Says why a transition is not allowed.
 *
 * @returns the sentence for the client; undefined if the transition is allowed
 */
export function refusedTransition(from: BranchStatus, to: BranchStatus): string | undefined {
  const allowed = TRANSITIONS[from];
  if (allowed.includes(to)) return undefined;
  const rest =
    allowed.length === 0 ? `${from} is final.` : `From ${from} it can become ${alternatives.format(allowed)}.`;
  return `A ${from} branch can't become ${to}. ${rest}`;
}
