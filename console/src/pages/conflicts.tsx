import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import type { Session } from '../client/sessions.ts';
import { PropertyPath } from '../inspector/property-path.tsx';
import { ReportFilterBar } from '../inspector/report-filter-bar.tsx';
import { type ReportFilters, reportFiltersIn, reportQuery, searchOf } from '../inspector/report-filters.ts';
import { TypesSeen } from '../inspector/types-seen.tsx';
import { paths } from '../navigation/paths.ts';
import { place } from '../navigation/place.ts';
import { List } from '../parts/list.tsx';
import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { TextFilter } from '../parts/text-filter.tsx';

type TypeConflict = components['schemas']['TypeConflict'];

/** The properties that came with several types. */
export function ConflictsPage({ session: { workspaceId } }: { session: Session }) {
  const { query } = place.value;
  const filters = reportFiltersIn(query);
  const eventName = query.get('eventName') ?? '';
  const cursor = query.get('cursor');
  const asked = {
    ...reportQuery(filters),
    ...(eventName !== '' && { eventName }),
    ...(cursor !== null && { cursor }),
  };
  const list = useReading(JSON.stringify([workspaceId, asked]), async (signal) => {
    return (await succeed(api.listTypeConflicts({ params: { workspaceId }, query: asked }, { signal }))).body;
  });
  const isEmpty = list.content?.conflicts.length === 0;
  return (
    <Page title="Type conflicts">
      <p class="lead">
        Properties of one event that came with several types. Of each type: the sources and environments that sent it,
        and the app version that brought it there.
      </p>
      <ReportFilterBar label="Filter conflicts" filters={filters} others={['eventName']}>
        <TextFilter label="Event" name="eventName" value={eventName} placeholder="whole name" maxLength={1_024} />
      </ReportFilterBar>
      <List
        caption="Type conflicts"
        reading={list}
        rowsOf={({ conflicts }) => conflicts}
        columns={columns(workspaceId, filters)}
        keyOf={({ eventName, property }) => JSON.stringify([eventName, property])}
        empty={<NoConflict isWhole={Object.keys(asked).length === 0} goesOn={list.content?.nextCursor !== null} />}
        next={isEmpty ? 'Search on' : undefined}
      />
    </Page>
  );
}

function columns(workspaceId: string, filters: ReportFilters): Column<TypeConflict>[] {
  return [
    { name: 'Property', isHeader: true, cell: ({ property }) => <PropertyPath path={property} /> },
    {
      name: 'Event',
      cell: ({ eventName }) => (
        <a class="clamped" href={paths.event(workspaceId, eventName) + searchOf(filters)}>
          <ObservedText text={eventName} />
        </a>
      ),
    },
    {
      name: 'Types',
      cell: ({ types }) => (
        <TypesSeen
          types={types.map(({ type, shapes, seenIn }) => ({ type, frequency: shapesText(shapes), seenIn }))}
          isOfOneVersion={filters.appVersion !== ''}
        />
      ),
    },
  ];
}

function shapesText(shapes: number): string {
  return shapes === 1 ? 'in 1 shape' : `in ${numberText(shapes)} shapes`;
}

function NoConflict({ isWhole, goesOn }: { isWhole: boolean; goesOn: boolean }) {
  if (goesOn) return <p class="empty">Nothing found yet: the server has looked through a part of the properties.</p>;
  return (
    <p class="empty">
      {isWhole
        ? 'No property has come with several types. The first that does shows here.'
        : 'No type conflict fits these filters.'}
    </p>
  );
}
