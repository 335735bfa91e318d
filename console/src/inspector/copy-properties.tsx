import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { Loading } from '../parts/loading.tsx';
import { numberText } from '../parts/numbers.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { CopySchema } from './copy-schema.tsx';
import { describeProperties } from './described-schema.ts';
import type { EventReport } from './event-report.ts';

type EventProperty = components['schemas']['EventProperty'];

/** The maximum number of properties per request, and of those copied. */
const PAGE_SIZE = 200;
const MOST_COPIED = 2_000;

/** Offers the combined schema of all shapes of an event for copying. */
export function CopyProperties({ workspaceId, asked, close }: EventReport & { close: () => void }) {
  const { content, problem } = useReading(JSON.stringify([workspaceId, asked]), (signal) =>
    readProperties({ workspaceId, asked }, signal),
  );
  return (
    <CopySchema
      title="Copy the properties"
      eventName={asked.eventName}
      properties={content && describeProperties(content.properties, content.count)}
      close={close}
    >
      <ProblemNotice problem={problem} retries />
      {content === undefined && problem === undefined && <Loading />}
      {content?.sampled === true && <p>They are computed from a sample of the shapes.</p>}
      {content?.isWhole === false && <p>These are the first {numberText(MOST_COPIED)}; the event has more.</p>}
    </CopySchema>
  );
}

interface Read {
  properties: EventProperty[];
  count: number;
  sampled: boolean;
  /** Whether these are all properties. */
  isWhole: boolean;
}

async function readProperties({ workspaceId, asked }: EventReport, signal: AbortSignal): Promise<Read> {
  const properties: EventProperty[] = [];
  let page: { cursor?: string } = {};
  for (;;) {
    const query = { ...asked, limit: PAGE_SIZE, ...page };
    const { body } = await succeed(api.listEventProperties({ params: { workspaceId }, query }, { signal }));
    const { count, sampled, nextCursor } = body;
    properties.push(...body.properties);
    if (nextCursor === null || properties.length >= MOST_COPIED) {
      return { properties, count, sampled, isWhole: nextCursor === null };
    }
    page = { cursor: nextCursor };
  }
}
