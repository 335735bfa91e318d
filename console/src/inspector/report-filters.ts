import type { components } from '../client/generated/types.ts';

export type Environment = components['schemas']['Environment'];

/** The filters of the Inspector's reports, as in the URL; an empty text means all. */
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

/** The filters as query parameters. */
export function reportQuery({ source, environment, appVersion }: ReportFilters) {
  return {
    ...(source !== '' && { source }),
    ...(environment !== '' && { environment }),
    ...(appVersion !== '' && { appVersion }),
  };
}

/** The same filters for another page's URL. */
export function buildSearch(filters: ReportFilters, others: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...others, ...reportQuery(filters) });
  return query.size === 0 ? '' : `?${query}`;
}
