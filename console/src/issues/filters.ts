import { type Environment, reportFiltersIn } from '../inspector/report-filters.ts';
import { type Issue, KINDS, STATES } from './kinds.ts';

/** The filters of the list of issues, as in the URL; an empty text means all. */
export interface IssueFilters {
  kind: Issue['kind'] | '';
  state: Issue['state'];
  source: string;
  environment: Environment | '';
  text: string;
}

export function issueFiltersIn(query: URLSearchParams): IssueFilters {
  const { source, environment } = reportFiltersIn(query);
  return {
    kind: keysOf(KINDS).find((one) => one === query.get('kind')) ?? '',
    state: keysOf(STATES).find((one) => one === query.get('state')) ?? 'open',
    source,
    environment,
    text: query.get('text') ?? '',
  };
}

/** The filters as query parameters. */
export function issueQuery({ kind, state, source, environment, text }: IssueFilters) {
  return {
    state,
    ...(kind !== '' && { kind }),
    ...(source !== '' && { source }),
    ...(environment !== '' && { environment }),
    ...(text !== '' && { text }),
  };
}

/** Whether filters other than the state are set. */
export function isNarrowed({ kind, source, environment, text }: IssueFilters): boolean {
  return kind !== '' || source !== '' || environment !== '' || text !== '';
}

function keysOf<Key extends string>(names: Readonly<Record<Key, string>>): Key[] {
  return Object.keys(names) as Key[];
}
