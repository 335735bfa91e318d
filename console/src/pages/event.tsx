import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import type { Session } from '../client/sessions.ts';
import { EventProperties } from '../inspector/event-properties.tsx';
import { EventShapes } from '../inspector/event-shapes.tsx';
import { EventTotals } from '../inspector/event-totals.tsx';
import { EventVolume } from '../inspector/event-volume.tsx';
import { ReportFilterBar } from '../inspector/report-filter-bar.tsx';
import { reportFiltersIn, reportQuery } from '../inspector/report-filters.ts';
import { EventIssues } from '../issues/event-issues.tsx';
import { paths } from '../navigation/paths.ts';
import { place, withQuery } from '../navigation/place.ts';
import { Loading } from '../parts/loading.tsx';
import { ObservedText } from '../parts/observed-text.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { visibleText } from '../parts/visible-text.ts';

interface EventPageProps {
  session: Session;
  eventName: string;
}

/** Longer names, in characters, are shown smaller and shortened at first. */
const LONG_NAME = 80;

const VIEWS = [
  { show: undefined, name: 'Properties', Content: EventProperties },
  { show: 'shapes', name: 'Shapes', Content: EventShapes },
  { show: 'issues', name: 'Issues', Content: EventIssues },
] as const;

/** One event, across all its app versions or the filtered ones. */
export function EventPage({ session: { workspaceId }, eventName }: EventPageProps) {
  const { query } = place.value;
  const filters = reportFiltersIn(query);
  const asked = { eventName, ...reportQuery(filters) };
  const view = VIEWS.find(({ show }) => show !== undefined && show === query.get('show')) ?? VIEWS[0];
  const { content, problem } = useReading(JSON.stringify([workspaceId, asked]), async (signal) => {
    const { body } = await succeed(api.listEventSummaries({ params: { workspaceId }, query: asked }, { signal }));
    return { summary: body.events[0] };
  });
  const [showsAll, setShowsAll] = useState(false);
  const isLong = eventName.length > LONG_NAME;
  const summary = content?.summary;
  const report = { workspaceId, asked };
  return (
    <Page
      title={visibleText(eventName)}
      heading={<Heading eventName={eventName} isClamped={isLong && !showsAll} />}
      actions={
        isLong && (
          <button type="button" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            Whole name
          </button>
        )
      }
    >
      <ReportFilterBar
        label="Filter the event"
        filters={filters}
        sources={summary?.sources.names ?? []}
        appVersions={summary?.appVersions.newest ?? []}
      />
      <ProblemNotice problem={problem} retries />
      {content === undefined && problem === undefined && <Loading />}
      {content !== undefined && summary === undefined && (
        <p class="empty">
          {Object.keys(reportQuery(filters)).length > 0
            ? 'This event does not match the filters.'
            : 'No event with this name was seen.'}{' '}
          <a href={paths.events(workspaceId)}>All events</a>
        </p>
      )}
      {summary !== undefined && (
        <>
          <div class="columns">
            <EventTotals workspaceId={workspaceId} summary={summary} />
            <EventVolume {...report} />
          </div>
          <nav class="views" aria-label="Views">
            {VIEWS.map(({ show, name }) => (
              <a key={name} href={withQuery({ show })} aria-current={name === view.name && 'page'}>
                {name}
              </a>
            ))}
          </nav>
          <view.Content {...report} />
        </>
      )}
    </Page>
  );
}

function Heading({ eventName, isClamped }: { eventName: string; isClamped: boolean }) {
  const long = eventName.length > LONG_NAME ? 'long-name' : '';
  return (
    <span class={isClamped ? `${long} clamped` : long} title={isClamped ? visibleText(eventName) : undefined}>
      <ObservedText text={eventName} />
    </span>
  );
}
