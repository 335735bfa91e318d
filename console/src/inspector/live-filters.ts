import { foldCase } from '@branchline/server/browser';
import type { components } from '../client/generated/types.ts';
import { type ReportFilters, reportFiltersIn, reportQuery } from './report-filters.ts';

export type LiveBatch = components['schemas']['LiveBatch'];
export type LiveEvent = components['schemas']['LiveEvent'];

/** The filters of the live batches, as in the URL; an empty text means all. */
export interface LiveFilters extends ReportFilters {
  text: string;
  withRejections: boolean;
}

export function liveFiltersIn(query: URLSearchParams): LiveFilters {
  return {
    ...reportFiltersIn(query),
    text: query.get('text') ?? '',
    withRejections: query.get('withRejections') === 'true',
  };
}

/** The filters as query parameters. */
export function liveQuery({ text, withRejections, ...filters }: LiveFilters) {
  return {
    ...reportQuery(filters),
    ...(text !== '' && { text }),
    ...(withRejections && { withRejections: 'true' as const }),
  };
}

/** Whether a batch received before the filters changed matches them too. */
export function isShown(event: LiveEvent, filters: LiveFilters): boolean {
  if (event.type === 'missed') return true;
  const { source, environment, appVersion, text, withRejections } = filters;
  const isNamedSo = event.events.some(({ eventName }) => foldCase(eventName).includes(foldCase(text)));
  return (
    (source === '' || event.source === source) &&
    (environment === '' || event.environment === environment) &&
    (appVersion === '' || event.appVersion === appVersion) &&
    (text === '' || isNamedSo) &&
    (!withRejections || event.rejected > 0)
  );
}
