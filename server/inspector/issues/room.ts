import type { Transaction } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { IssueRow } from './tables.ts';

/** The maximum number of issues in a workspace, and per source: an app that makes names up hides no other app's issues. */
export const MOST_ISSUES = 10_000;
export const MOST_OF_SOURCE = 2_000;

/**
 * Makes room for issues by deleting resolved ones, those found longest ago first.
 *
 * @returns the issues that fit
 */
export async function makeRoom(
  tx: Transaction<Tables>,
  workspaceId: string,
  added: readonly IssueRow[],
): Promise<IssueRow[]> {
  const kept: IssueRow[] = [];
  if (added.length === 0) return kept;
  let room = await roomWithin(tx, workspaceId, undefined, added.length);
  for (const [source, ofSource] of Map.groupBy(added, (issue) => issue.source)) {
    const most = Math.min(ofSource.length, room);
    const free = most === 0 ? 0 : await roomWithin(tx, workspaceId, source, most);
    kept.push(...ofSource.slice(0, free));
    room -= free;
  }
  return kept;
}

/** Returns the room, up to the requested amount, of a source or of the whole workspace. */
async function roomWithin(
  tx: Transaction<Tables>,
  workspaceId: string,
  source: string | undefined,
  wanted: number,
): Promise<number> {
  const most = source === undefined ? MOST_ISSUES : MOST_OF_SOURCE;
  const room = most - (await countIssues(tx, workspaceId, source));
  if (room >= wanted) return wanted;
  return Math.max(0, room) + (await dropResolved(tx, workspaceId, source, wanted - Math.max(0, room)));
}

/** How many issues a source has, or the whole workspace. */
export async function countIssues(
  tx: Transaction<Tables>,
  workspaceId: string,
  source: string | undefined,
): Promise<number> {
  const issues = tx
    .selectFrom('issues')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId);
  const { count } = await (
    source === undefined ? issues : issues.where('source', '=', source)
  ).executeTakeFirstOrThrow();
  return count;
}

/** @returns the number of deleted issues */
async function dropResolved(
  tx: Transaction<Tables>,
  workspaceId: string,
  source: string | undefined,
  most: number,
): Promise<number> {
  let resolved = tx
    .selectFrom('issues')
    .select('issue_id')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'resolved');
  if (source !== undefined) resolved = resolved.where('source', '=', source);
  const oldest = await resolved.orderBy('raised_at').orderBy('issue_id').limit(most).execute();
  const ids = oldest.map(({ issue_id }) => issue_id);
  if (ids.length === 0) return 0;
  await tx.deleteFrom('issues').where('workspace_id', '=', workspaceId).where('issue_id', 'in', ids).execute();
  return ids.length;
}
