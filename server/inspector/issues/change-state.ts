import type { ActingAccount } from '../../accounts/acting-account.ts';
import { type AdministrativeAct, appendAuditLine } from '../../accounts/audit.ts';
import { HttpError } from '../../http/http-error.ts';
import { lockLiveWorkspace } from '../../storage/live-workspace.ts';
import type { Storage } from '../../storage/storage.ts';
import { isTexts, parseStored } from '../../storage/stored-json.ts';
import { quote } from '../truncate.ts';
import type { IssueRow } from './tables.ts';
import { type Issue, issueViews } from './view.ts';

interface Change {
  issueId: string;
  state: Issue['state'];
  by: ActingAccount;
  at: number;
}

const ACTS: Readonly<Record<Issue['state'], AdministrativeAct>> = {
  resolved: 'issueResolved',
  ignored: 'issueIgnored',
  open: 'issueReopened',
};

/**
 * Changes the state of an issue, and records who did.
 *
 * @throws HttpError 404 if there is no such issue, 409 if it can't have the state
 */
export async function changeIssueState(storage: Storage, change: Change): Promise<Issue> {
  const { workspaceId } = change.by;
  const issue = await storage.write(async (tx) => {
    await lockLiveWorkspace(tx, workspaceId);
    const found = await tx
      .selectFrom('issues')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('issue_id', '=', change.issueId)
      .executeTakeFirst();
    if (found === undefined) throw new HttpError(404, 'No issue of this workspace has this id.');
    if (found.state === change.state) return found;
    const changed = changedTo(found, change);
    const { state, raised_at, changed_at, changed_by } = changed;
    await tx
      .updateTable('issues')
      .set({ state, raised_at, changed_at, changed_by })
      .where('workspace_id', '=', workspaceId)
      .where('issue_id', '=', change.issueId)
      .execute();
    const { by, at } = change;
    await appendAuditLine(tx, { workspaceId, by, at, act: ACTS[state], subject: describeIssue(found) });
    return changed;
  });
  const [view] = await issueViews(storage.db, workspaceId, [issue]);
  if (view === undefined) throw new Error('An issue has no view.');
  return view;
}

function changedTo(issue: IssueRow, { state, by, at }: Change): IssueRow {
  if (issue.state !== 'open' && state !== 'open') {
    throw new HttpError(
      409,
      `This issue was ${issue.state}${issue.changed_by === null ? ' by itself' : ` by ${issue.changed_by}`} and can't become ${state}. Open it again first.`,
    );
  }
  return { ...issue, state, changed_at: at, changed_by: by.email, ...(state === 'open' && { raised_at: at }) };
}

/** In words that stay true after the issue is gone. */
function describeIssue({ kind, event_key, event_name, path, source, environment }: IssueRow): string {
  const names = parseStored('issues.path', path, isTexts);
  const of = [...(names.length > 0 ? [quote(names.join('.'))] : []), ...(event_key === '' ? [] : [quote(event_name)])];
  return [kind, ...of, `${source} (${environment})`].join(', ');
}
