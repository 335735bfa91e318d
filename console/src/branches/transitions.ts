import type { BranchStatus } from './statuses.ts';

/** A way on from a status. */
export interface Transition {
  to: BranchStatus;
  /** What the button says. */
  verb: string;
}

/** What a branch may become, as the contract says at Change Branch Status; the way on that most take comes first. */
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
