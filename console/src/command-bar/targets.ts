import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { allows } from '../client/sessions.ts';
import { paths } from '../navigation/paths.ts';
import { SECTIONS } from '../navigation/sections.ts';

/** Something that the command bar leads to. */
export interface Target {
  name: string;
  /** What it is. */
  kind: string;
  href: string;
}

/** How many branches are offered at a time. */
const MOST_BRANCHES = 8;

/** The pages of the workspace whose name holds the text. */
export function pagesNamed(workspaceId: string, text: string): Target[] {
  const wanted = text.trim().toLowerCase();
  return SECTIONS.filter(
    ({ name, group = '', least }) => allows(least) && `${group} ${name}`.toLowerCase().includes(wanted),
  ).map(({ name, group = 'Page', href }) => ({ name, kind: group, href: href(workspaceId) }));
}

/** The newest branches whose name holds the text. */
export async function branchesNamed(workspaceId: string, text: string, signal: AbortSignal): Promise<Target[]> {
  const wanted = text.trim();
  const query = { sort: 'newest' as const, limit: MOST_BRANCHES, ...(wanted !== '' && { text: wanted }) };
  const { body } = await succeed(api.listBranches({ params: { workspaceId }, query }, { signal }));
  return body.branches.map(({ branchId, branchName }) => ({
    name: branchName,
    kind: 'Branch',
    href: paths.branch(workspaceId, branchId),
  }));
}
