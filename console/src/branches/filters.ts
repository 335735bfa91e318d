import type { operations } from '../client/generated/types.ts';
import { STATUSES, type BranchStatus } from './statuses.ts';

export type ListQuery = NonNullable<operations['listBranches']['parameters']['query']>;

/** The filters of the list of branches, as in the URL. */
export interface Filters {
  statuses: readonly BranchStatus[];
  /** The creator's id, or empty. */
  creator: string;
  collaborator: string;
  text: string;
  sort: 'newest' | 'oldest';
}

export function filtersIn(query: URLSearchParams): Filters {
  const asked = query.getAll('status');
  return {
    statuses: STATUSES.filter((status) => asked.includes(status)),
    creator: query.get('creator') ?? '',
    collaborator: query.get('collaborator') ?? '',
    text: query.get('text') ?? '',
    sort: query.get('sort') === 'oldest' ? 'oldest' : 'newest',
  };
}

export function isFiltered({ statuses, creator, collaborator, text }: Filters): boolean {
  return statuses.length > 0 || creator !== '' || collaborator !== '' || text !== '';
}

export function listQuery({ statuses, creator, collaborator, text, sort }: Filters): ListQuery {
  return {
    sort,
    ...(statuses.length > 0 && { branchStatus: [...statuses] }),
    ...(creator !== '' && { branchCreatorId: creator }),
    ...(collaborator !== '' && { collaboratorEmail: collaborator }),
    ...(text !== '' && { text }),
  };
}
