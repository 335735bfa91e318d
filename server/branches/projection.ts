import { isTexts, parseStored } from '../storage/stored-json.ts';
import type { BranchEvent } from './events.ts';
import type { BranchStatus } from './lifecycle.ts';
import type { BranchRow } from './tables.ts';

/**
 * Applies one more event to a branch's row. The log is the truth: applying it from the first event gives exactly the stored row.
 *
 * @param row the previous row; undefined before the first event, which is `created`
 */
export function apply(row: BranchRow | undefined, event: BranchEvent): BranchRow {
  const { happening } = event;
  if (happening.type === 'created') return applyCreated(event, happening.name);
  if (row === undefined) throw new Error(`The log of branch ${event.branchId} does not begin with its creation.`);
  const next = { ...row, sequence: event.sequence };
  switch (happening.type) {
    case 'statusChanged':
      return { ...next, status: happening.status, ...applyStatusChange(happening.status, row, event) };
    case 'collaboratorAdded':
      return { ...next, collaborators: JSON.stringify([...parseCollaborators(row), happening.email]) };
    case 'published':
      // The clocks of two servers may differ; the latest time wins.
      return { ...next, last_published_at: Math.max(row.last_published_at ?? event.at, event.at) };
  }
}

/**
 * E-mails, in the order they were added.
 *
 * @throws UnreadableValue
 */
export function parseCollaborators(row: BranchRow): string[] {
  return parseStored('branches.collaborators', row.collaborators, isTexts);
}

function applyCreated(event: BranchEvent, name: string): BranchRow {
  return {
    workspace_id: event.workspaceId,
    branch_id: event.branchId,
    name,
    status: 'Draft',
    creator_id: event.actor.actorId,
    creator_email: event.actor.userEmail,
    created_at: event.at,
    collaborators: '[]',
    last_published_at: null,
    ready_at: null,
    ready_email: null,
    merged_at: null,
    merged_email: null,
    sequence: event.sequence,
  };
}

/** "Branch Management HTTP API, Branch statistics row": the date and user of the first ReadyForReview, and of the merge. */
function applyStatusChange(status: BranchStatus, row: BranchRow, { at, actor }: BranchEvent): Partial<BranchRow> {
  if (status === 'ReadyForReview' && row.ready_at === null) return { ready_at: at, ready_email: actor.userEmail };
  if (status === 'Merged') return { merged_at: at, merged_email: actor.userEmail };
  return {};
}
