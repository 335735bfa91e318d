import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { usePolling } from '../client/polling.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import type { Session } from '../client/sessions.ts';
import { type CreatedKey, NewKey } from '../inspector/create-key.tsx';
import { FirstBatch } from '../inspector/first-batch.tsx';
import { ReportFilterBar } from '../inspector/report-filter-bar.tsx';
import { type ReportFilters, reportFiltersIn, reportQuery, buildSearch } from '../inspector/report-filters.ts';
import { Sparkline } from '../inspector/sparkline.tsx';
import { FlagFilter } from '../parts/flag-filter.tsx';
import { IssuesLink } from '../issues/issues-link.tsx';
import { paths } from '../navigation/paths.ts';
import { place } from '../navigation/place.ts';
import { List } from '../parts/list.tsx';
import { numberText } from '../parts/numbers.ts';
import { ObservedText, ObservedTexts } from '../parts/observed-text.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import { Time } from '../parts/time.tsx';

type EventSummary = components['schemas']['EventSummary'];

/** The events that apps have sent, each across all its app versions. */
export function EventsPage({ session: { workspaceId } }: { session: Session }) {
  const { query } = place.value;
  const filters = reportFiltersIn(query);
  const text = query.get('text') ?? '';
  const withIssues = query.get('withIssues') === 'true';
  const cursor = query.get('cursor');
  const [created, setCreated] = useState<CreatedKey>();
  const [showsKey, setShowsKey] = useState(false);
  const asked = {
    ...reportQuery(filters),
    ...(text !== '' && { text }),
    ...(withIssues && { withIssues: 'true' as const }),
    ...(cursor !== null && { cursor }),
  };
  const list = useReading(JSON.stringify([workspaceId, asked]), async (signal) => {
    return (await succeed(api.listEventSummaries({ params: { workspaceId }, query: asked }, { signal }))).body;
  });
  const { content } = list;
  const isEmpty = content?.events.length === 0;
  const isNew = isEmpty && content?.nextCursor === null && Object.keys(asked).length === 0;
  usePolling(list, isNew);
  return (
    <Page title="Events">
      {!isNew && (
        <ReportFilterBar
          label="Filter events"
          filters={filters}
          sources={namesIn(content?.events, ({ sources }) => sources.names)}
          appVersions={namesIn(content?.events, ({ appVersions }) => appVersions.newest)}
          others={['text', 'withIssues']}
        >
          <TextFilter label="Name" name="text" value={text} placeholder="part of a name" maxLength={100} />
          <FlagFilter label="With issues" name="withIssues" checked={withIssues} />
        </ReportFilterBar>
      )}
      <List
        caption="Events"
        reading={list}
        rowsOf={({ events }) => events}
        columns={columns(workspaceId, filters)}
        keyOf={({ eventName }) => eventName}
        empty={
          isNew ? (
            <FirstBatch
              workspaceId={workspaceId}
              apiKey={created?.text}
              done={(key) => {
                setCreated(key);
                setShowsKey(true);
              }}
            />
          ) : (
            <NothingFound goesOn={content?.nextCursor !== null} />
          )
        }
        next={isEmpty ? 'Search on' : undefined}
      />
      {created !== undefined && showsKey && <NewKey created={created} close={() => setShowsKey(false)} />}
    </Page>
  );
}

function namesIn(events: readonly EventSummary[] = [], of: (event: EventSummary) => readonly string[]): string[] {
  return [...new Set(events.flatMap(of))];
}

function columns(workspaceId: string, filters: ReportFilters): Column<EventSummary>[] {
  return [
    {
      name: 'Event',
      isHeader: true,
      cell: ({ eventName }) => (
        <a class="clamped" href={paths.event(workspaceId, eventName) + buildSearch(filters)}>
          <ObservedText text={eventName} />
        </a>
      ),
    },
    { name: 'Count', isNumber: true, cell: ({ count }) => numberText(count) },
    { name: '14 days', cell: ({ days }) => <Sparkline days={days} /> },
    { name: 'Issues', cell: (summary) => <IssuesLink workspaceId={workspaceId} summary={summary} /> },
    { name: 'Sources', cell: ({ sources }) => <ObservedTexts texts={sources.names} total={sources.total} /> },
    { name: 'Environments', cell: ({ environments }) => environments.join(', ') },
    {
      name: 'App versions',
      cell: ({ appVersions: { newest, total } }) => <ObservedTexts texts={newest.slice(0, 3)} total={total} />,
    },
    { name: 'First seen', cell: ({ firstSeen }) => <Time of={firstSeen} /> },
    { name: 'Last seen', cell: ({ lastSeen }) => <Time of={lastSeen} /> },
  ];
}

function NothingFound({ goesOn }: { goesOn: boolean }) {
  return (
    <p class="empty">
      {goesOn ? 'Nothing found yet. The server has searched some of the events.' : 'No event matches these filters.'}
    </p>
  );
}
