import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import type { ReportFilters } from './report-filters.ts';

interface PlaceFiltersProps {
  filters: Pick<ReportFilters, 'source' | 'environment'>;
  /** The suggested values. */
  sources: readonly string[];
}

/** The filters for source and environment. */
export function PlaceFilters({ filters: { source, environment }, sources }: PlaceFiltersProps) {
  return (
    <>
      <TextFilter
        label="Source"
        name="source"
        value={source}
        placeholder="such as android-shop"
        maxLength={100}
        suggestions={sources}
      />
      <ChoiceFilter
        label="Environment"
        name="environment"
        value={environment}
        options={{ '': 'All', dev: 'dev', staging: 'staging', prod: 'prod' }}
      />
    </>
  );
}
