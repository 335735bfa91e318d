import type { EventReport } from '../inspector/event-report.ts';
import { paths } from '../navigation/paths.ts';
import { IssueList } from './issue-list.tsx';

/** The open issues of one event. */
export function EventIssues({ workspaceId, asked: { eventName, source, environment } }: EventReport) {
  const asked = {
    eventName,
    ...(source !== undefined && { source }),
    ...(environment !== undefined && { environment }),
  };
  return (
    <>
      <p class="lead">
        Open issues of this event, in any app version. <a href={paths.issues(workspaceId)}>All issues</a>
      </p>
      <IssueList workspaceId={workspaceId} asked={asked} empty={<p class="empty">The event has no open issues.</p>} />
    </>
  );
}
