import type { ComponentChild } from 'preact';
import type { Session } from '../client/sessions.ts';
import { type LiveBatches, type LiveRow, useLiveBatches } from '../inspector/live-batches.ts';
import { isShown, type LiveBatch, liveFiltersIn } from '../inspector/live-filters.ts';
import { LiveNames } from '../inspector/live-names.tsx';
import { LiveReceipt } from '../inspector/live-receipt.tsx';
import { ReportFilterBar } from '../inspector/report-filter-bar.tsx';
import { place } from '../navigation/place.ts';
import { FlagFilter } from '../parts/flag-filter.tsx';
import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import { ClockTime } from '../parts/time.tsx';

/** Batches as they arrive, each with its receipt. */
export function LivePage({ session: { workspaceId } }: { session: Session }) {
  const filters = liveFiltersIn(place.value.query);
  const live = useLiveBatches(workspaceId, filters);
  const rows = live.rows.filter(({ event }) => isShown(event, filters));
  return (
    <Page title="Live" actions={<LiveState live={live} />}>
      <ReportFilterBar
        label="Filter batches"
        filters={filters}
        sources={valuesIn(live.rows, ({ source }) => source)}
        appVersions={valuesIn(live.rows, ({ appVersion }) => appVersion)}
        others={['text', 'withRejections']}
      >
        <TextFilter label="Event" name="text" value={filters.text} placeholder="part of a name" maxLength={100} />
        <FlagFilter label="With rejections" name="withRejections" checked={filters.withRejections} />
      </ReportFilterBar>
      <ProblemNotice problem={live.problem} retries />
      {rows.length === 0 ? (
        <p class="empty">{emptyText(live)}</p>
      ) : (
        <Table caption="Batches, the newest first" columns={COLUMNS} rows={rows} keyOf={({ key }) => key} />
      )}
    </Page>
  );
}

function emptyText({ isPaused, waiting }: LiveBatches): string {
  if (!isPaused) return 'Waiting for a batch… New batches appear here within a second.';
  return waiting === 0 ? 'Paused. New batches appear when you resume.' : 'Paused. Resume to see the new batches.';
}

const STATES = { connecting: 'Connecting…', live: 'Live', reconnecting: 'Reconnecting…' };

/** The state of the stream, and the pause button. Screen readers do not announce every new number. */
function LiveState({ live: { state, isPaused, waiting, setPaused } }: { live: LiveBatches }) {
  return (
    <div class="heading-actions">
      <p class={`live-state live-state-${isPaused ? 'paused' : state}`}>
        <span role="status">{isPaused && state === 'live' ? 'Paused' : STATES[state]}</span>
        {isPaused && <span>: {numberText(waiting)} waiting</span>}
      </p>
      <button type="button" onClick={() => setPaused(!isPaused)}>
        {isPaused ? 'Resume' : 'Pause'}
      </button>
    </div>
  );
}

function valuesIn(rows: readonly LiveRow[], of: (batch: LiveBatch) => string): string[] {
  return [...new Set(rows.flatMap(({ event }) => (event.type === 'batch' ? [of(event)] : [])))];
}

/** In a row for missing batches, the cells are empty. */
function column(name: string, cell: (batch: LiveBatch) => ComponentChild): Column<LiveRow> {
  return { name, cell: ({ event }) => (event.type === 'batch' ? cell(event) : null) };
}

const COLUMNS: Column<LiveRow>[] = [
  { name: 'Events', isHeader: true, cell: ({ event }) => <LiveNames event={event} /> },
  column('Receipt', (batch) => <LiveReceipt batch={batch} />),
  column('Source', ({ source }) => <ObservedText text={source} />),
  column('Environment', ({ environment }) => environment),
  column('App version', ({ appVersion }) => <ObservedText text={appVersion} />),
  column('Library', ({ library: { name, version } }) => <ObservedText text={`${name} ${version}`} />),
  column('Received', ({ receivedAt }) => <ClockTime of={receivedAt} />),
];
