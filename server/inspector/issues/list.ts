import { takeTurn } from '@branchline/runtime';
import { type Kysely, sql } from 'kysely';
import { readRows, takeFitting } from '../../http/bounded-page.ts';
import { type CursorScope, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { requireWanted } from '../../storage/holder.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { findText } from '../find-text.ts';
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

/** What issues are searched by. The rest of one may be large, and is read of those that are shown. */
type SearchedIssue = Place & Pick<IssueRow, 'kind' | 'source' | 'environment'> & Partial<Pick<IssueRow, 'event_name'>>;

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
  const { found, last } = await findIssues(db, workspaceId, query, from);
  const views = await issueViews(db, workspaceId, await readIssues(db, workspaceId, found));
  const entries = await takeFitting(workspaceId, views);
  const end = entries.length === found.length ? last : (found.find(isAt(entries.at(-1))) ?? last);
  return { entries, nextCursor: end === undefined ? null : encodeCursor(scope, [end.raised_at, end.issue_id]) };
}

function isAt(issue: Issue | undefined): (place: Place) => boolean {
  return ({ issue_id }) => issue_id === issue?.issueId;
}

/** Reads the issues that were found: of these the first, until they fill a page. */
async function readIssues(db: Kysely<Tables>, workspaceId: string, found: readonly Place[]): Promise<IssueRow[]> {
  const { rows } = await readRows<IssueRow>({
    holder: workspaceId,
    limit: found.length,
    read: async (last, count) => {
      const start = found.findIndex(({ issue_id }) => issue_id === last?.issue_id) + 1;
      const ids = found.slice(start, start + count).map(({ issue_id }) => issue_id);
      const issues = db.selectFrom('issues').selectAll().where('workspace_id', '=', workspaceId);
      const rows = await issues.where('issue_id', 'in', ids).execute();
      const byId = new Map(rows.map((row) => [row.issue_id, row]));
      // Those deleted meanwhile are gone.
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    sizeOf: ({ event_name, path }) => Buffer.byteLength(event_name) + Buffer.byteLength(path),
  });
  return rows;
}

/** @returns the issues of a page, and the position of the next one, if there may be one */
async function findIssues(
  db: Kysely<Tables>,
  workspaceId: string,
  query: IssueQuery,
  from: Place | undefined,
): Promise<{ found: Place[]; last: Place | undefined }> {
  const { limit = PAGE_SIZE } = query;
  const passes = buildFilter(query);
  const found: Place[] = [];
  let last = from;
  for (let searched = 0; searched < MOST_SEARCHED; searched += READ_AT_A_TIME) {
    await takeTurn(workspaceId);
    requireWanted();
    const next = await searchIssues(db, workspaceId, query, last);
    const named = query.text === undefined ? next : await findText(workspaceId, next, query.text);
    const matching = new Set(named);
    for (const issue of next) {
      if (matching.has(issue) && passes(issue)) {
        if (found.length === limit) return { found, last };
        found.push(issue);
      }
      last = issue;
    }
    if (next.length < READ_AT_A_TIME) return { found, last: undefined };
  }
  return { found, last };
}

/** Reads what the next issues are searched by, filtered as far as an index can. */
function searchIssues(
  db: Kysely<Tables>,
  workspaceId: string,
  { state = 'open', eventName, source, text }: IssueQuery,
  after: Place | undefined,
): Promise<SearchedIssue[]> {
  let issues = db
    .selectFrom('issues')
    .select(['raised_at', 'issue_id', 'kind', 'source', 'environment'])
    .$if(text !== undefined, (query) => query.select('event_name'))
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', state);
  if (eventName !== undefined) issues = issues.where('event_key', '=', boundedKey(eventName));
  else if (source !== undefined) issues = issues.where('source', '=', source);
  if (after !== undefined) {
    issues = issues.where(sql<boolean>`(raised_at, issue_id) < (${after.raised_at}, ${after.issue_id})`);
  }
  return issues.orderBy('raised_at', 'desc').orderBy('issue_id', 'desc').limit(READ_AT_A_TIME).execute();
}

function buildFilter({ kind, source, environment }: IssueQuery): (issue: SearchedIssue) => boolean {
  return (issue) =>
    (kind === undefined || issue.kind === kind) &&
    (source === undefined || issue.source === source) &&
    (environment === undefined || issue.environment === environment);
}
