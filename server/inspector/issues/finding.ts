import { digest } from '../keys.ts';
import type { IssueRow } from './tables.ts';

/** An issue found in an app version. */
export type Finding = Pick<
  IssueRow,
  'kind' | 'event_key' | 'path_key' | 'event_name' | 'path' | 'source' | 'environment' | 'app_version' | 'compared_with'
> & { at: number };

/** Returns the id of a finding's issue, the same wherever and whenever it is found again. */
export function issueId({ kind, event_key, path_key, source, environment, compared_with }: Finding): string {
  const bound = kind === 'overLimit' ? compared_with : null;
  return digest(JSON.stringify([kind, event_key, path_key, source, environment, bound]));
}

/** Issues of events and sources have no property. */
export const NO_PROPERTY = { path_key: '', path: '[]' } as const;
