import { type Guard, parseStored, withFields } from '../storage/stored-json.ts';
import { UnreadableValue } from '../storage/unreadable-value.ts';
import type { BranchStatus } from './lifecycle.ts';
import type { BranchEventRow } from './tables.ts';

/**
 * The actor of an event: the service account or person, and the e-mail of the user on whose behalf it acts, as well-formed text:
 * UTF-8, and therefore every database, has no lone surrogates.
 */
export interface Actor {
  actorId: string;
  userEmail: string;
}

/** The events of a branch. */
export type BranchEventPayload =
  | { type: 'created'; name: string }
  | { type: 'statusChanged'; status: BranchStatus }
  | { type: 'collaboratorAdded'; email: string }
  | { type: 'published' };

/** One entry of a branch's append-only log. */
export interface BranchEvent {
  workspaceId: string;
  branchId: string;
  /** From 1, without gaps, per branch. */
  sequence: number;
  /** Milliseconds since 1970, UTC. */
  at: number;
  actor: Actor;
  happening: BranchEventPayload;
}

/** Converts an event to its row. */
export function toEventRow(event: BranchEvent): BranchEventRow {
  const { type, ...data } = event.happening;
  return {
    workspace_id: event.workspaceId,
    branch_id: event.branchId,
    sequence: event.sequence,
    type,
    happened_at: event.at,
    account_id: event.actor.actorId,
    user_email: event.actor.userEmail,
    data: JSON.stringify(data),
  };
}

/** What else each kind of event has. */
const DETAILS: Readonly<Partial<Record<string, Guard<object>>>> = {
  created: withFields({ name: 'string' }),
  statusChanged: withFields({ status: 'string' }),
  collaboratorAdded: withFields({ email: 'string' }),
  published: withFields({}),
};

/**
 * Reads the event from its row.
 *
 * @throws UnreadableValue
 */
export function parseEvent(row: BranchEventRow): BranchEvent {
  const hasDetails = DETAILS[row.type];
  if (hasDetails === undefined) throw new UnreadableValue('branch_events.type');
  return {
    workspaceId: row.workspace_id,
    branchId: row.branch_id,
    sequence: row.sequence,
    at: row.happened_at,
    actor: { actorId: row.account_id, userEmail: row.user_email },
    happening: {
      type: row.type,
      ...parseStored('branch_events.data', row.data, hasDetails),
    } as BranchEventPayload,
  };
}
