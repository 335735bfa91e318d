import { type Kysely, sql } from 'kysely';
import type { components } from '../generated/types.ts';
import type { Tables } from '../storage/tables.ts';
import { type BranchEvent, parseEvent, type BranchEventPayload } from './events.ts';
import { isoTime } from './iso-time.ts';

type BranchActivity = components['schemas']['BranchActivity'];

/**
 * Returns the log of a branch, oldest first. Every branch has at least the event of its creation.
 *
 * @param after the sequence of the previous event; 0 for the first ones
 */
export async function branchEvents(
  db: Kysely<Tables>,
  { workspaceId, branchId }: Pick<BranchEvent, 'workspaceId' | 'branchId'>,
  after: number,
  limit: number,
): Promise<BranchEvent[]> {
  const rows = await db
    .selectFrom('branch_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('branch_id', '=', branchId)
    // A client may have changed its cursor: PostgreSQL would refuse a number that the column can't hold.
    .where('sequence', '>', sql<number>`cast(${after} as bigint)`)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(parseEvent);
}

/** Converts an event to the contract's format. */
export function activityView({ sequence, at, actor, happening }: BranchEvent): BranchActivity {
  return {
    sequence,
    date: isoTime(at),
    actorId: actor.actorId,
    actorEmail: actor.userEmail,
    happened: happening.type,
    ...details(happening),
  };
}

function details(happening: BranchEventPayload): Partial<BranchActivity> {
  switch (happening.type) {
    case 'created':
      return { branchName: happening.name };
    case 'statusChanged':
      return { branchStatus: happening.status };
    case 'collaboratorAdded':
      return { collaboratorEmail: happening.email };
    case 'published':
      return {};
  }
}
