import { foldCase } from '../fold-case.ts';
import type { LiveBatch, LiveEvent } from './live-batch.ts';

/** The batches that a reader requests; a filter that is left out matches all. */
export interface LiveFilter {
  source?: string;
  environment?: LiveBatch['environment'];
  appVersion?: string;
  /** A part of an event's name; case is ignored. */
  text?: string;
  withRejections?: 'true';
}

/** Whether a reader receives an event. Gaps are reported to everybody: the missing batches might have matched. */
export function fits(event: LiveEvent, filter: LiveFilter): boolean {
  if (event.type === 'missed') return true;
  const { source, environment, appVersion, text, withRejections } = filter;
  const wanted = text === undefined ? undefined : foldCase(text);
  return (
    (source === undefined || event.source === source) &&
    (environment === undefined || event.environment === environment) &&
    (appVersion === undefined || event.appVersion === appVersion) &&
    (withRejections === undefined || event.rejected > 0) &&
    (wanted === undefined || event.events.some(({ eventName }) => foldCase(eventName).includes(wanted)))
  );
}
