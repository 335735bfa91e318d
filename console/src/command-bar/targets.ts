import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { allows } from '../client/sessions.ts';
import { paths } from '../navigation/paths.ts';
import { SECTIONS } from '../navigation/sections.ts';
import { visibleText } from '../parts/visible-text.ts';

/** Something that the command bar leads to. */
export interface Target {
  name: string;
  /** What it is. */
  kind: string;
  href: string;
}

/** How many branches, and how many events, are offered at a time. */
const MOST_OFFERED = 8;

/** No event is looked for by a longer text. */
const LONGEST_TEXT = 100;

/** The pages of the workspace whose name holds the text. */
export function findPages(workspaceId: string, text: string): Target[] {
  const wanted = text.trim().toLowerCase();
  return SECTIONS.filter(
    ({ name, group = '', least }) => allows(least) && `${group} ${name}`.toLowerCase().includes(wanted),
  ).map(({ name, group = 'Page', href }) => ({ name, kind: group, href: href(workspaceId) }));
}

/** The newest branches whose name holds the text. */
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

/** The first events whose name holds the text. */
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
