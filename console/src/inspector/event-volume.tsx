import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { place } from '../navigation/place.ts';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import type { EventReport } from './event-report.ts';
import { VolumeChart } from './volume-chart.tsx';
import { VolumeTable } from './volume-table.tsx';

const SPLITS = { source: 'Source', environment: 'Environment', appVersion: 'App version' } as const;

/** The volume of an event over time, as a chart and as a table. */
export function EventVolume({ workspaceId, asked }: EventReport) {
  const { query } = place.value;
  const step = query.get('step') === 'hour' ? 'hour' : 'day';
  const split = (Object.keys(SPLITS) as (keyof typeof SPLITS)[]).find((one) => one === query.get('split'));
  const { content, problem } = useReading(JSON.stringify([workspaceId, asked, step, split]), async (signal) => {
    const query = { ...asked, step, ...(split !== undefined && { split }) } as const;
    return (await succeed(api.getEventVolume({ params: { workspaceId }, query }, { signal }))).body;
  });
  return (
    <section aria-labelledby="volume">
      <h2 id="volume">Volume</h2>
      <div class="filter-row">
        <ChoiceFilter
          label="Last"
          name="step"
          value={step === 'hour' ? 'hour' : ''}
          options={{ '': '90 days', hour: '48 hours' }}
        />
        <ChoiceFilter label="Split by" name="split" value={split ?? ''} options={{ '': 'Nothing', ...SPLITS }} />
      </div>
      <ProblemNotice problem={problem} retries />
      {content === undefined && problem === undefined && <Loading />}
      {content !== undefined && (
        <>
          <VolumeChart volume={content} />
          <VolumeTable volume={content} />
        </>
      )}
    </section>
  );
}
