import type { BranchStatus } from './lifecycle.ts';

export interface BranchTables {
  branches: BranchRow;
  branch_events: BranchEventRow;
}

/** The projection of a branch's events: one row per branch, with everything in its line of the export. */
export interface BranchRow {
  workspace_id: string;
  branch_id: string;
  name: string;
  status: BranchStatus;
  creator_id: string;
  creator_email: string;
  created_at: number;
  /** JSON array of e-mails, in the order they were added. */
  collaborators: string;
  last_published_at: number | null;
  /** The first time that it became ReadyForReview; never changes. */
  ready_at: number | null;
  ready_email: string | null;
  merged_at: number | null;
  merged_email: string | null;
  /** The sequence of the last event in this row; a change is written only to the row that it was decided for. */
  sequence: number;
}

/** Append-only: the events of a branch, in order. */
export interface BranchEventRow {
  workspace_id: string;
  branch_id: string;
  /** From 1, without gaps, per branch. */
  sequence: number;
  /** `created`, `statusChanged`, `collaboratorAdded` or `published`. */
  type: string;
  happened_at: number;
  account_id: string;
  user_email: string;
  /** JSON object with the event's own fields. */
  data: string;
}
