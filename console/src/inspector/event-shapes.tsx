import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { usePage } from '../client/page-reading.ts';
import { succeed } from '../client/problem.ts';
import { List } from '../parts/list.tsx';
import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { CopySchema } from './copy-schema.tsx';
import { describeShape } from './described-schema.ts';
import type { EventReport } from './event-report.ts';
import { SchemaTree } from './schema-tree.tsx';

type ObservedShape = components['schemas']['ObservedShape'];

/** The shapes of an event, in each source, environment and app version. */
export function EventShapes({ workspaceId, asked }: EventReport) {
  const [copying, setCopying] = useState<ObservedShape>();
  const shapes = usePage(JSON.stringify([workspaceId, asked]), async (page, signal) => {
    const query = { ...asked, ...page };
    return (await succeed(api.listObservedShapes({ params: { workspaceId }, query }, { signal }))).body;
  });
  return (
    <>
      <List
        caption="Shapes"
        reading={shapes}
        rowsOf={(content) => content.shapes}
        columns={columns(setCopying)}
        keyOf={({ shapeId, source, environment, appVersion }) =>
          JSON.stringify([shapeId, source, environment, appVersion])
        }
        empty={<p class="empty">No shape matches these filters.</p>}
      />
      {copying !== undefined && (
        <CopySchema
          title="Copy the shape"
          eventName={copying.eventName}
          properties={describeShape(copying.schema)}
          close={() => setCopying(undefined)}
        />
      )}
    </>
  );
}

function columns(askToCopy: (shape: ObservedShape) => void): Column<ObservedShape>[] {
  return [
    {
      name: 'Shape',
      isHeader: true,
      cell: ({ shapeId }) => (
        <code class="id" title={shapeId}>
          {shapeId.slice(0, 8)}
        </code>
      ),
    },
    { name: 'Schema', cell: ({ schema }) => <SchemaTree schema={schema} /> },
    { name: 'Count', isNumber: true, cell: ({ count }) => numberText(count) },
    { name: 'Source', cell: ({ source }) => <ObservedText text={source} /> },
    { name: 'Environment', cell: ({ environment }) => environment },
    { name: 'App version', cell: ({ appVersion }) => <ObservedText text={appVersion} /> },
    { name: 'First seen', cell: ({ firstSeen }) => <Time of={firstSeen} /> },
    { name: 'Last seen', cell: ({ lastSeen }) => <Time of={lastSeen} /> },
    {
      name: '',
      cell: (shape) => (
        <button type="button" onClick={() => askToCopy(shape)}>
          Copy…<span class="unseen"> the shape {shape.shapeId.slice(0, 8)}</span>
        </button>
      ),
    },
  ];
}
