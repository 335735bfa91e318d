import type { components } from '../generated/types.ts';
import { isoTime } from './iso-time.ts';
import { parseCollaborators } from './projection.ts';
import type { BranchRow } from './tables.ts';

/**
 * Converts a branch to the contract's format.
 *
 * @param webHost the host of the web application, for the branch's URL
 */
export function branchView(branch: BranchRow, webHost: string): components['schemas']['Branch'] {
  return {
    branchId: branch.branch_id,
    branchName: branch.name,
    branchUrl: branchUrl(branch, webHost),
    branchStatus: branch.status,
    branchCreatorId: branch.creator_id,
    branchCreatorEmail: branch.creator_email,
    creationDate: isoTime(branch.created_at),
    collaborators: parseCollaborators(branch),
    lastPublishedDate: isoTime(branch.last_published_at),
    markedReadyForReviewDate: isoTime(branch.ready_at),
    markedReadyForReviewerUserEmail: branch.ready_email,
    branchMergedDate: isoTime(branch.merged_at),
    branchMergedUserEmail: branch.merged_email,
  };
}

/** "Branch Management HTTP API, Branch": `https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>`. */
export function branchUrl({ workspace_id, branch_id }: BranchRow, webHost: string): string {
  return `https://${webHost}/schemas/${encodeURIComponent(workspace_id)}/branches/${encodeURIComponent(branch_id)}`;
}
