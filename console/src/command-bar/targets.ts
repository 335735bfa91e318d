import { foldCase } from '@branchline/server/browser';
import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { allows } from '../client/sessions.ts';
import { paths } from '../navigation/paths.ts';
import { SECTIONS } from '../navigation/sections.ts';
import { visibleText } from '../parts/visible-text.ts';

/** A page, branch or event that the command bar can open. */
export interface Target {
  name: string;
  /** The kind of target. */
  kind: string;
  href: string;
}

/** The maximum number of branches, and of events, in the results. */
const MOST_OFFERED = 8;

/** Longer texts do not search events. */
const LONGEST_TEXT = 100;

/** Finds the pages of the workspace whose name contains the text. */
export function findPages(workspaceId: string, text: string): Target[] {
  const wanted = foldCase(text.trim());
  return SECTIONS.filter(
    ({ name, group = '', least }) => allows(least) && foldCase(`${group} ${name}`).includes(wanted),
  ).map(({ name, group = 'Page', href }) => ({ name, kind: group, href: href(workspaceId) }));
}

/** Finds the newest branches whose name contains the text. */
export async function findBranches(workspaceId: string, text: string, signal: AbortSignal): Promise<Target[]> {
  const wanted = text.trim();
  const query = { sort: 'newest' as const, limit: MOST_OFFERED, ...(wanted !== '' && { text: wanted }) };
  const { body } = await succeed(api.listBranches({ params: { workspaceId }, query }, { signal }));
  return body.branches.map(({ branchId, branchName }) => ({
    name: branchName,
    kind: 'Branch',
    href: paths.branch(workspaceId, branchId),
  }));
}

/** Finds the first events whose name contains the text. */
export async function findEvents(workspaceId: string, text: string, signal: AbortSignal): Promise<Target[]> {
  const wanted = text.trim();
  if (wanted === '' || wanted.length > LONGEST_TEXT) return [];
  const query = { text: wanted, limit: MOST_OFFERED };
  const { body } = await succeed(api.listEventSummaries({ params: { workspaceId }, query }, { signal }));
  return body.events.map(({ eventName }) => ({
    name: visibleText(eventName),
    kind: 'Event',
    href: paths.event(workspaceId, eventName),
  }));
}
