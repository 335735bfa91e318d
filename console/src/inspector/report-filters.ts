import type { components } from '../client/generated/types.ts';

export type Environment = components['schemas']['Environment'];

/** What the reports of the Inspector are narrowed down to, as the address has it; empty texts for all. */
export interface ReportFilters {
  source: string;
  environment: Environment | '';
  appVersion: string;
}

const ENVIRONMENTS: readonly Environment[] = ['dev', 'staging', 'prod'];

export function reportFiltersIn(query: URLSearchParams): ReportFilters {
  return {
    source: query.get('source') ?? '',
    environment: ENVIRONMENTS.find((one) => one === query.get('environment')) ?? '',
    appVersion: query.get('appVersion') ?? '',
  };
}

/** The filters as the operations take them. */
export function reportQuery({ source, environment, appVersion }: ReportFilters) {
  return {
    ...(source !== '' && { source }),
    ...(environment !== '' && { environment }),
    ...(appVersion !== '' && { appVersion }),
  };
}

/** The same filters for the address of another page. */
export function buildSearch(filters: ReportFilters, others: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...others, ...reportQuery(filters) });
  return query.size === 0 ? '' : `?${query}`;
}
