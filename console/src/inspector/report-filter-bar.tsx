import type { ComponentChildren } from 'preact';
import { place, withQuery } from '../navigation/place.ts';
import { TextFilter } from '../parts/text-filter.tsx';
import { PlaceFilters } from './place-filters.tsx';
import type { ReportFilters } from './report-filters.ts';

interface ReportFilterBarProps {
  /** The name of the filtered list. */
  label: string;
  filters: ReportFilters;
  /** The suggested values. */
  sources?: readonly string[];
  appVersions?: readonly string[];
  /** The parameter names of this report's additional filters. */
  others?: readonly string[];
  children?: ComponentChildren;
}

/** The filters of a report. Every change is a new URL. */
export function ReportFilterBar(props: ReportFilterBarProps) {
  const { label, filters, sources = [], appVersions = [], others = [], children } = props;
  const names = [...others, 'source', 'environment', 'appVersion'];
  return (
    <search class="filters" aria-label={label}>
      <div class="filter-row">
        {children}
        <PlaceFilters filters={filters} sources={sources} />
        <TextFilter
          label="App version"
          name="appVersion"
          value={filters.appVersion}
          placeholder="such as 1.4.0"
          maxLength={100}
          suggestions={appVersions}
        />
        {names.some((name) => place.value.query.has(name)) && (
          <a class="button" href={withQuery(Object.fromEntries(names.map((name) => [name, undefined])))}>
            Clear filters
          </a>
        )}
      </div>
    </search>
  );
}
