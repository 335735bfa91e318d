import type { BranchStatus } from './statuses.ts';

/** A possible status change. */
export interface Transition {
  to: BranchStatus;
  /** The label of the button. */
  verb: string;
}

/** The status changes allowed by Change Branch Status in the contract, the most common one first. */
export const TRANSITIONS: Readonly<Record<BranchStatus, readonly Transition[]>> = {
  Draft: [
    { to: 'ReadyForReview', verb: 'Mark ready for review' },
    { to: 'Closed', verb: 'Close' },
  ],
  ReadyForReview: [
    { to: 'Approved', verb: 'Approve' },
    { to: 'Draft', verb: 'Back to draft' },
    { to: 'Closed', verb: 'Close' },
  ],
  Approved: [
    { to: 'Merged', verb: 'Mark as merged' },
    { to: 'ReadyForReview', verb: 'Back to review' },
    { to: 'Draft', verb: 'Back to draft' },
    { to: 'Closed', verb: 'Close' },
  ],
  Merged: [],
  Closed: [{ to: 'Draft', verb: 'Reopen as draft' }],
};
