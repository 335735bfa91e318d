/** The values of `branchStatus` (Branch Management HTTP API, States and transitions). */
export const STATUSES = ['Merged', 'Closed', 'Approved', 'Draft', 'ReadyForReview'] as const;
export type Status = (typeof STATUSES)[number];

/** A branch, as Create Branch answers. */
export interface Branch {
  readonly branchId: string;
  readonly branchName: string;
}

/** Puts a branch into a status; settles when it is there. @throws Error with a sentence where that fails. */
export type Seeding = (branch: Branch, status: Status, workspace: string) => Promise<void>;
