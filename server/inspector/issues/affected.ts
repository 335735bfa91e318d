import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import { boundsAmong, readShapes } from '../reports/place-shapes.ts';
import { AffectedSums } from './affected-sums.ts';
import { placeEventKey } from './issues.ts';
import type { IssueRow } from './tables.ts';

/** The events that an issue affects. */
export interface Affected {
  /** The share of the source's events of the name in the environment; null if unknown. */
  share: number | null;
  /** Milliseconds since 1970; 0 if unknown. */
  lastSeen: number;
}

const UNKNOWN: Affected = { share: null, lastSeen: 0 };

/** Computes this from the shapes of each issue's event, of each event as many. */
export async function affectedBy(
  db: Kysely<Tables>,
  workspaceId: string,
  issues: readonly IssueRow[],
): Promise<(issue: IssueRow) => Affected> {
  const events = Map.groupBy(issues.filter(canBeTold), placeEventKey);
  const bounds = boundsAmong(events.size);
  const affected = new Map<string, Affected>();
  for (const ofEvent of events.values()) {
    const [first] = ofEvent;
    if (first === undefined) continue;
    const { event_name: eventName, source, environment } = first;
    const sums = new AffectedSums(ofEvent);
    await readShapes(db, workspaceId, { eventName, source, environment }, bounds, (shape) => sums.add(shape));
    for (const [issueId, one] of sums.affected()) affected.set(issueId, one);
  }
  return ({ issue_id }) => affected.get(issue_id) ?? UNKNOWN;
}

/** A missing event has no events to count. */
function canBeTold({ kind, path_key }: IssueRow): boolean {
  return kind !== 'overLimit' && (path_key !== '' || kind === 'nameVariant' || kind === 'newInVersion');
}
