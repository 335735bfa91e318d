import type { Session } from '../client/sessions.ts';
import { paths } from './paths.ts';

/** A page of a workspace in the navigation and the command bar. */
export interface Section {
  name: string;
  /** The heading above it. */
  group?: string;
  href: (workspaceId: string) => string;
  least: Session['role'];
}

export const SECTIONS: readonly Section[] = [
  { name: 'Branches', href: paths.branches, least: 'viewer' },
  { name: 'Events', group: 'Inspector', href: paths.events, least: 'viewer' },
  { name: 'Live', group: 'Inspector', href: paths.live, least: 'viewer' },
  { name: 'Issues', group: 'Inspector', href: paths.issues, least: 'viewer' },
  { name: 'Sources', group: 'Inspector', href: paths.sources, least: 'viewer' },
  { name: 'People', group: 'Settings', href: paths.people, least: 'viewer' },
  { name: 'Accounts', group: 'Settings', href: paths.accounts, least: 'admin' },
  { name: 'Audit', group: 'Settings', href: paths.audit, least: 'admin' },
];

/** The section that a path belongs to; sections can be nested. */
export function findSection(workspaceId: string, path: string): Section | undefined {
  return SECTIONS.filter(({ href }) => `${path}/`.startsWith(`${href(workspaceId)}/`)).toSorted(
    (one, other) => other.href(workspaceId).length - one.href(workspaceId).length,
  )[0];
}
