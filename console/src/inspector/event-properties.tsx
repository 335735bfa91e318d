import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { usePage } from '../client/page-reading.ts';
import { succeed } from '../client/problem.ts';
import { List } from '../parts/list.tsx';
import { numberText, shareText } from '../parts/numbers.ts';
import type { Column } from '../parts/table.tsx';
import { CopyProperties } from './copy-properties.tsx';
import type { EventReport } from './event-report.ts';
import { PropertyPath } from './property-path.tsx';
import { TypesSeen } from './types-seen.tsx';

type EventProperty = components['schemas']['EventProperty'];

/** The properties of an event, and how many of its events have each. */
export function EventProperties({ workspaceId, asked }: EventReport) {
  const [copying, setCopying] = useState(false);
  const properties = usePage(JSON.stringify([workspaceId, asked]), async (page, signal) => {
    const query = { ...asked, ...page };
    return (await succeed(api.listEventProperties({ params: { workspaceId }, query }, { signal }))).body;
  });
  const { content } = properties;
  return (
    <>
      {content !== undefined && (
        <div class="heading">
          <p class="lead">
            {content.sampled
              ? `Computed from a sample of the shapes, with ${numberText(content.count)} events, because there are too many to read. Properties outside the sample are not listed.`
              : `Computed from ${content.count === 1 ? 'the only event' : `all ${numberText(content.count)} events`}.`}
          </p>
          <div class="heading-actions">
            <button type="button" onClick={() => setCopying(true)}>
              Copy…<span class="unseen"> the properties</span>
            </button>
          </div>
        </div>
      )}
      <List
        caption="Properties"
        reading={properties}
        rowsOf={(content) => content.properties}
        columns={columns(asked.appVersion !== undefined)}
        keyOf={({ property }) => JSON.stringify(property)}
        empty={<p class="empty">The event has no properties.</p>}
      />
      {copying && <CopyProperties workspaceId={workspaceId} asked={asked} close={() => setCopying(false)} />}
    </>
  );
}

function columns(isOfOneVersion: boolean): Column<EventProperty>[] {
  return [
    { name: 'Property', isHeader: true, cell: ({ property }) => <PropertyPath path={property} /> },
    {
      name: 'Presence',
      cell: ({ presence, count }) => (
        <span>
          {shareText(presence)} <span class="quiet">{eventsText(count)}</span>
        </span>
      ),
    },
    {
      name: 'Types',
      cell: ({ types }) => (
        <TypesSeen
          types={types.map(({ type, count, seenIn }) => ({ type, frequency: eventsText(count), seenIn }))}
          isOfOneVersion={isOfOneVersion}
        />
      ),
    },
  ];
}

function eventsText(count: number): string {
  return count === 1 ? 'in 1 event' : `in ${numberText(count)} events`;
}
