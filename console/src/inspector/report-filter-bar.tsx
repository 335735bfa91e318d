import type { ComponentChildren } from 'preact';
import { place, withQuery } from '../navigation/place.ts';
import { TextFilter } from '../parts/text-filter.tsx';
import { PlaceFilters } from './place-filters.tsx';
import type { ReportFilters } from './report-filters.ts';

interface ReportFilterBarProps {
  /** What is filtered. */
  label: string;
  filters: ReportFilters;
  /** What may be meant. */
  sources?: readonly string[];
  appVersions?: readonly string[];
  /** Filters that this report has besides: the names of their parameters. */
  others?: readonly string[];
  children?: ComponentChildren;
}

/** Narrows a report down. Every change is an address of its own. */
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
          placeholder="1.4.0"
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
