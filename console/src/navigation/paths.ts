/** The longest path to return to, in characters as written in a query: servers and proxies refuse long addresses. */
const MOST_RETURN = 4_096;

/** The paths of the console's pages. */
export const paths = {
  workspaces: () => '/',
  branches: (workspaceId: string) => `${workspace(workspaceId)}/branches`,
  branch: (workspaceId: string, branchId: string) =>
    `${workspace(workspaceId)}/branches/${encodeURIComponent(branchId)}`,
  events: (workspaceId: string) => `${workspace(workspaceId)}/inspector`,
  event: (workspaceId: string, eventName: string) =>
    `${workspace(workspaceId)}/inspector/events/${encodeEventName(eventName)}`,
  live: (workspaceId: string) => `${workspace(workspaceId)}/inspector/live`,
  issues: (workspaceId: string) => `${workspace(workspaceId)}/inspector/issues`,
  sources: (workspaceId: string) => `${workspace(workspaceId)}/inspector/sources`,
  accounts: (workspaceId: string) => `${workspace(workspaceId)}/settings/accounts`,
  people: (workspaceId: string) => `${workspace(workspaceId)}/settings/people`,
  audit: (workspaceId: string) => `${workspace(workspaceId)}/settings/audit`,

  /** @param back the path to return to afterwards; left out where it is too long */
  signIn(workspaceId: string | undefined, back?: string): string {
    const query = new URLSearchParams();
    if (workspaceId !== undefined) query.set('workspace', workspaceId);
    if (back !== undefined && encodeURIComponent(back).length <= MOST_RETURN) query.set('return', back);
    return `/sign-in${query.size === 0 ? '' : `?${query}`}`;
  },
};

function workspace(workspaceId: string): string {
  return `/schemas/${encodeURIComponent(workspaceId)}`;
}

/** Browsers remove `.` and `..` from paths, even encoded, so these names get a tilde in front, as do names that begin with one. */
function encodeEventName(eventName: string): string {
  return `${/^(\.{1,2}$|~)/.test(eventName) ? '~' : ''}${encodeURIComponent(eventName)}`;
}

/** The name that was encoded in a path. */
export function eventNameIn(pathPart: string): string {
  return pathPart.replace(/^~/, '');
}

/** Whether a path belongs to the console, so that it can be opened without loading a page. */
export function isConsolePath(path: string): boolean {
  return path === '/' || path === '/sign-in' || path.startsWith('/schemas/');
}

/** The console path that a link may return to; undefined for anything else. */
export function safeReturn(text: string | null, origin: string): string | undefined {
  if (text === null || !text.startsWith('/') || !URL.canParse(text, origin)) return undefined;
  const url = new URL(text, origin);
  return url.origin === origin && isConsolePath(url.pathname) ? `${url.pathname}${url.search}` : undefined;
}
