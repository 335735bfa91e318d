import type { Kysely } from 'kysely';
import type { components } from '../../generated/types.ts';
import { isTexts, parseStored } from '../../storage/stored-json.ts';
import type { Tables } from '../../storage/tables.ts';
import { typesSeen } from '../reports/seen-types.ts';
import { type Affected, affectedBy } from './affected.ts';
import type { IssueRow } from './tables.ts';

export type Issue = components['schemas']['Issue'];

/** Converts issues to the contract's format, with data from the events themselves. */
export async function issueViews(
  db: Kysely<Tables>,
  workspaceId: string,
  issues: readonly IssueRow[],
): Promise<Issue[]> {
  const conflicts = issues.filter(({ kind }) => kind === 'typeConflict');
  const typesOf = await typesSeen(db, workspaceId, conflicts);
  const affected = await affectedBy(db, workspaceId, issues);
  return issues.map((issue) => ({
    ...issueView(issue, affected(issue)),
    types: issue.kind === 'typeConflict' ? typesOf(issue) : [],
  }));
}

function issueView(issue: IssueRow, { share, lastSeen }: Affected): Omit<Issue, 'types'> {
  return {
    issueId: issue.issue_id,
    kind: issue.kind,
    state: issue.state,
    eventName: issue.event_key === '' ? null : issue.event_name,
    property: parseStored('issues.path', issue.path, isTexts),
    source: issue.source,
    environment: issue.environment,
    appVersion: issue.app_version,
    comparedWith: issue.compared_with,
    affectedShare: share,
    firstSeen: timeText(issue.first_seen),
    lastSeen: timeText(Math.max(issue.last_seen, lastSeen)),
    stateChangedAt: issue.changed_at === null ? null : timeText(issue.changed_at),
    stateChangedBy: issue.changed_by,
  };
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
