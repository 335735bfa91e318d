import type { components } from '../client/generated/types.ts';

export type Scope = components['schemas']['Scope'];

/** What each scope lets a program do. */
export const SCOPE_HINTS: Readonly<Record<Scope, string>> = {
  'branches:create': 'Create branches',
  'branches:export': 'Read and export branches',
  'branches:manage': 'Change branches: status, collaborators, publications',
  'inspector:read': 'Read what the Inspector observes',
};

export const SCOPES: readonly Scope[] = ['branches:create', 'branches:export', 'branches:manage', 'inspector:read'];
