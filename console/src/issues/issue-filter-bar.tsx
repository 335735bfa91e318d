import { PlaceFilters } from '../inspector/place-filters.tsx';
import { place, withQuery } from '../navigation/place.ts';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import type { IssueFilters } from './filters.ts';
import { KINDS, STATES } from './kinds.ts';

const NAMES = ['kind', 'state', 'source', 'environment', 'text'] as const;

interface IssueFilterBarProps {
  filters: IssueFilters;
  /** The suggested values. */
  sources: readonly string[];
}

/** The filters of the issues. Every change is a new URL. */
export function IssueFilterBar({ filters, sources }: IssueFilterBarProps) {
  const { open, ...others } = STATES;
  return (
    <search class="filters" aria-label="Filter issues">
      <div class="filter-row">
        <ChoiceFilter
          label="State"
          name="state"
          value={filters.state === 'open' ? '' : filters.state}
          options={{ '': open, ...others }}
        />
        <ChoiceFilter label="Kind" name="kind" value={filters.kind} options={{ '': 'All', ...KINDS }} />
        <TextFilter label="Event" name="text" value={filters.text} placeholder="part of a name" maxLength={100} />
        <PlaceFilters filters={filters} sources={sources} />
        {NAMES.some((name) => place.value.query.has(name)) && (
          <a class="button" href={withQuery(Object.fromEntries(NAMES.map((name) => [name, undefined])))}>
            Clear filters
          </a>
        )}
      </div>
    </search>
  );
}
