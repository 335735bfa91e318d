import { type Environment, reportFiltersIn } from '../inspector/report-filters.ts';
import { type Issue, KINDS, STATES } from './kinds.ts';

/** What the list of issues is narrowed down to, as the address has it; empty texts for all. */
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

/** The filters as the operation takes them. */
export function issueQuery({ kind, state, source, environment, text }: IssueFilters) {
  return {
    state,
    ...(kind !== '' && { kind }),
    ...(source !== '' && { source }),
    ...(environment !== '' && { environment }),
    ...(text !== '' && { text }),
  };
}

/** Whether only some of the issues that have the state are asked for. */
export function isNarrowed({ kind, source, environment, text }: IssueFilters): boolean {
  return kind !== '' || source !== '' || environment !== '' || text !== '';
}

function keysOf<Key extends string>(names: Readonly<Record<Key, string>>): Key[] {
  return Object.keys(names) as Key[];
}
