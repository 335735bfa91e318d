import { takeTurn } from '@branchline/runtime';
import { type Kysely, sql } from 'kysely';
import { MOST_CHARACTERS } from '../../http/bounded-page.ts';
import { type CursorScope, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { requireWanted } from '../../storage/holder.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { boundedKey } from '../keys.ts';
import { PAGE_SIZE } from '../limits.ts';
import type { Page } from '../reports/paging.ts';
import type { IssueRow } from './tables.ts';
import { type Issue, issueViews } from './view.ts';

export interface IssueQuery {
  kind?: Issue['kind'] | undefined;
  /** Defaults to open. */
  state?: Issue['state'] | undefined;
  source?: string | undefined;
  environment?: Issue['environment'] | undefined;
  eventName?: string | undefined;
  /** Part of the event's name; case is ignored. */
  text?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The number of issues that one page searches. */
const MOST_SEARCHED = 2_500;

/** The number of issues read at a time. */
const READ_AT_A_TIME = 250;

/** Where a page ends. */
type Place = Pick<IssueRow, 'raised_at' | 'issue_id'>;

/**
 * Lists the issues of a workspace in a state, the most recently opened first.
 *
 * @returns undefined if the cursor does not belong to this list and filter
 */
export async function listIssues(
  { db }: Storage,
  workspaceId: string,
  query: IssueQuery,
): Promise<Page<Issue> | undefined> {
  const { kind, state = 'open', source, environment, eventName, text, cursor } = query;
  const scope: CursorScope = ['issues', workspaceId, kind, state, source, environment, eventName, text];
  const place = cursor === undefined ? undefined : decodeCursor(scope, cursor, ['number', 'string']);
  if (cursor !== undefined && place === undefined) return undefined;
  const from = place === undefined ? undefined : { raised_at: place[0], issue_id: place[1] };
  const { rows, last } = await findIssues(db, workspaceId, query, from);
  const entries = await issueViews(db, workspaceId, rows);
  return { entries, nextCursor: last === undefined ? null : encodeCursor(scope, [last.raised_at, last.issue_id]) };
}

/** @returns the rows of a page, and the position of the next one, if there may be one */
async function findIssues(
  db: Kysely<Tables>,
  workspaceId: string,
  query: IssueQuery,
  from: Place | undefined,
): Promise<{ rows: IssueRow[]; last: Place | undefined }> {
  const { limit = PAGE_SIZE } = query;
  const passes = buildFilter(query);
  const rows: IssueRow[] = [];
  let last = from;
  let size = 0;
  for (let searched = 0; searched < MOST_SEARCHED; searched += READ_AT_A_TIME) {
    await takeTurn(workspaceId);
    requireWanted();
    const found = await readIssues(db, workspaceId, query, last);
    for (const row of found) {
      if (passes(row)) {
        if (rows.length === limit || size > MOST_CHARACTERS) return { rows, last };
        rows.push(row);
        size += row.event_name.length + row.path.length;
      }
      last = row;
    }
    if (found.length < READ_AT_A_TIME) return { rows, last: undefined };
  }
  return { rows, last };
}

/** Reads the next issues, filtered as far as an index can. */
function readIssues(
  db: Kysely<Tables>,
  workspaceId: string,
  { state = 'open', eventName, source }: IssueQuery,
  after: Place | undefined,
): Promise<IssueRow[]> {
  let issues = db.selectFrom('issues').selectAll().where('workspace_id', '=', workspaceId).where('state', '=', state);
  if (eventName !== undefined) issues = issues.where('event_key', '=', boundedKey(eventName));
  else if (source !== undefined) issues = issues.where('source', '=', source);
  if (after !== undefined) {
    issues = issues.where(sql<boolean>`(raised_at, issue_id) < (${after.raised_at}, ${after.issue_id})`);
  }
  return issues.orderBy('raised_at', 'desc').orderBy('issue_id', 'desc').limit(READ_AT_A_TIME).execute();
}

function buildFilter({ kind, source, environment, text }: IssueQuery): (issue: IssueRow) => boolean {
  const part = text?.toLowerCase();
  return (issue) =>
    (kind === undefined || issue.kind === kind) &&
    (source === undefined || issue.source === source) &&
    (environment === undefined || issue.environment === environment) &&
    (part === undefined || issue.event_name.toLowerCase().includes(part));
}
