import type { Session } from '../client/sessions.ts';
import { type IssueFilters, isNarrowed, issueFiltersIn, issueQuery } from '../issues/filters.ts';
import { IssueFilterBar } from '../issues/issue-filter-bar.tsx';
import { IssueList } from '../issues/issue-list.tsx';
import { paths } from '../navigation/paths.ts';
import { place } from '../navigation/place.ts';
import { Page } from '../parts/page.tsx';

/** The problems found in the events that apps have sent. */
export function IssuesPage({ session: { workspaceId } }: { session: Session }) {
  const filters = issueFiltersIn(place.value.query);
  return (
    <Page title="Issues">
      <p class="lead">
        Problems found in the events that apps have sent: types that differ, names that come and go. Resolve an issue
        once it is fixed: it opens again if a newer app version still has it. Ignore what is intended.
      </p>
      <IssueList
        workspaceId={workspaceId}
        asked={issueQuery(filters)}
        empty={<NoIssue workspaceId={workspaceId} filters={filters} />}
        bar={(issues) => (
          <IssueFilterBar filters={filters} sources={[...new Set(issues.map(({ source }) => source))]} />
        )}
      />
    </Page>
  );
}

function NoIssue({ workspaceId, filters }: { workspaceId: string; filters: IssueFilters }) {
  if (isNarrowed(filters)) return <p class="empty">No issue matches these filters.</p>;
  if (filters.state === 'resolved') {
    return <p class="empty">No resolved issues yet. They appear here with who resolved them and when.</p>;
  }
  if (filters.state === 'ignored') {
    return <p class="empty">No ignored issues. Ignore an open issue if it is intended in its environment.</p>;
  }
  return (
    <div class="empty">
      <p>No open issues. As apps send events, the following appear here within seconds:</p>
      <ul>
        <li>properties with a different type than before,</li>
        <li>names of events or properties that differ only by case or separators,</li>
        <li>new events and properties in an app version,</li>
        <li>events that were rejected because a limit was reached;</li>
      </ul>
      <p>
        and from the second day of an app version: events and properties that it no longer sends, or that only another
        source sends.
      </p>
      <p>
        <a href={paths.events(workspaceId)}>All events</a>
      </p>
    </div>
  );
}
