import type { Session } from '../client/sessions.ts';
import { type IssueFilters, isNarrowed, issueFiltersIn, issueQuery } from '../issues/filters.ts';
import { IssueFilterBar } from '../issues/issue-filter-bar.tsx';
import { IssueList } from '../issues/issue-list.tsx';
import { paths } from '../navigation/paths.ts';
import { place } from '../navigation/place.ts';
import { Page } from '../parts/page.tsx';

/** What looks wrong in the events that apps have sent. */
export function IssuesPage({ session: { workspaceId } }: { session: Session }) {
  const filters = issueFiltersIn(place.value.query);
  return (
    <Page title="Issues">
      <p class="lead">
        What looks wrong in the events that apps have sent: types that differ, names that come and go. Resolve what was
        mended: it opens again if a newer app version has it still. Ignore what is meant to be so.
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
  if (isNarrowed(filters)) return <p class="empty">No issue fits these filters.</p>;
  if (filters.state === 'resolved') {
    return <p class="empty">Nothing was resolved yet. What you resolve stands here, with who did and when.</p>;
  }
  if (filters.state === 'ignored') {
    return <p class="empty">Nothing is ignored. Ignore an open issue that is meant to be so, in its environment.</p>;
  }
  return (
    <div class="empty">
      <p>No open issue. As apps send events, this shows within seconds:</p>
      <ul>
        <li>properties that come with another type than before,</li>
        <li>names of events or properties that differ by case or separators only,</li>
        <li>what an app version brings that is new,</li>
        <li>events that were refused for want of room;</li>
      </ul>
      <p>
        and from the second day of an app version: what it sends no more, or what another source sends and it does not.
      </p>
      <p>
        <a href={paths.events(workspaceId)}>All events</a>
      </p>
    </div>
  );
}
