import type { LiveBatch, LiveEvent } from './live-batch.ts';

/** Which batches a reader asks for; what is left out does not matter. */
export interface LiveFilter {
  source?: string;
  environment?: LiveBatch['environment'];
  appVersion?: string;
  /** A part of an event's name, in whatever case. */
  text?: string;
  withRejections?: 'true';
}

/** Whether a reader is told. What is missing is said to everybody: it might have fitted. */
export function fits(event: LiveEvent, filter: LiveFilter): boolean {
  if (event.type === 'missed') return true;
  const { source, environment, appVersion, text, withRejections } = filter;
  const wanted = text?.toLowerCase();
  return (
    (source === undefined || event.source === source) &&
    (environment === undefined || event.environment === environment) &&
    (appVersion === undefined || event.appVersion === appVersion) &&
    (withRejections === undefined || event.rejected > 0) &&
    (wanted === undefined || event.events.some(({ eventName }) => eventName.toLowerCase().includes(wanted)))
  );
}
