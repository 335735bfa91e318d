import type { BranchRow } from '../tables.ts';

/** A new Draft, but for what is given. */
export function branchRow(given: Partial<BranchRow> = {}): BranchRow {
  return {
    workspace_id: 'demo',
    branch_id: 'id-1',
    name: 'checkout',
    status: 'Draft',
    creator_id: 'account-1',
    creator_email: 'ci@example.com',
    created_at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    collaborators: '[]',
    last_published_at: null,
    ready_at: null,
    ready_email: null,
    merged_at: null,
    merged_email: null,
    sequence: 1,
    ...given,
  };
}
