import type { ReportFilter } from '../reports/index-orders.ts';

/** Every combination of the filters that are given, from none to all. */
export function combineFilters(all: Required<ReportFilter>): ReportFilter[] {
  const filters = Object.entries(all);
  return Array.from({ length: 2 ** filters.length }, (_, bits) =>
    Object.fromEntries(filters.filter((_filter, index) => (bits >> index) & 1)),
  );
}
