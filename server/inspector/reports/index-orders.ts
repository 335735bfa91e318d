import { boundedKey } from '../keys.ts';
import type { PlaceColumns } from '../tables.ts';
import type { IndexRange } from './index-range.ts';

/** Which places are meant; what is left out may be any. */
export interface PlaceFilter {
  source?: string | undefined;
  environment?: PlaceColumns['environment'] | undefined;
  appVersion?: string | undefined;
}

/** Which observations a report is about; what is left out may be any. */
export interface ReportFilter extends PlaceFilter {
  eventName?: string | undefined;
}

/** The columns that a report can be filtered by. */
export type FilterColumn = 'event_key' | 'source' | 'app_version' | 'environment';

/**
 * The orders that `observed_events` and `observed_shapes` have an index for, the primary key's first. Every combination of
 * filters is the beginning of one of them, so the rows that pass lie side by side and a page is read without skipping any.
 */
const ORDERS: readonly (readonly FilterColumn[])[] = [
  ['event_key', 'source', 'app_version', 'environment'],
  ['source', 'app_version', 'environment', 'event_key'],
  ['app_version', 'environment', 'event_key', 'source'],
  ['environment', 'event_key', 'source', 'app_version'],
  ['event_key', 'app_version', 'source', 'environment'],
  ['source', 'environment', 'event_key', 'app_version'],
];

/** The range of an index that has the rows which pass a filter. */
export function chooseOrder({ eventName, source, appVersion, environment }: ReportFilter): IndexRange<FilterColumn> {
  const eventKey = eventName === undefined ? undefined : boundedKey(eventName);
  return chooseRange({ event_key: eventKey, source, app_version: appVersion, environment });
}

/** The range of an index that has the rows with these values. */
export function chooseRange(values: { [Column in FilterColumn]: string | undefined }): IndexRange<FilterColumn> {
  const count = Object.values(values).filter((value) => value !== undefined).length;
  for (const order of ORDERS) {
    const fixed = order.slice(0, count).flatMap((column) => {
      const value = values[column];
      return value === undefined ? [] : [[column, value] as const];
    });
    if (fixed.length === count) return { fixed, sorted: order.slice(count) };
  }
  throw new Error('A combination of filters has no index.');
}
