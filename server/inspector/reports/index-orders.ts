import { boundedKey } from '../keys.ts';
import type { PlaceColumns } from '../tables.ts';

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

/** A filter in terms of an order. */
export interface FilteredOrder {
  /** The columns that the filter fixes, with their values; the first ones of the order. */
  fixed: readonly (readonly [column: FilterColumn, value: string])[];
  /** The rest of the order: by these the rows that pass are sorted. */
  sorted: readonly FilterColumn[];
}

export function chooseOrder(filter: ReportFilter): FilteredOrder {
  const fixed = fixedColumns(filter);
  const order = ORDERS.find((columns) => fixed.every(([column]) => columns.indexOf(column) < fixed.length)) ?? [];
  return { fixed, sorted: order.slice(fixed.length) };
}

function fixedColumns({ eventName, source, appVersion, environment }: ReportFilter): [FilterColumn, string][] {
  const values: [FilterColumn, string | undefined][] = [
    ['event_key', eventName === undefined ? undefined : boundedKey(eventName)],
    ['source', source],
    ['app_version', appVersion],
    ['environment', environment],
  ];
  return values.filter((entry): entry is [FilterColumn, string] => entry[1] !== undefined);
}
