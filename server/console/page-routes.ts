/** The paths of the console's pages, shared with the server; a part that begins with a colon matches any text. */
export const ROUTES = {
  workspaces: '/',
  signIn: '/sign-in',
  finishSignIn: '/sign-in/oidc',
  branches: '/schemas/:workspace/branches',
  branch: '/schemas/:workspace/branches/:branch',
  events: '/schemas/:workspace/inspector',
  event: '/schemas/:workspace/inspector/events/:event',
  live: '/schemas/:workspace/inspector/live',
  issues: '/schemas/:workspace/inspector/issues',
  sources: '/schemas/:workspace/inspector/sources',
  people: '/schemas/:workspace/settings/people',
  accounts: '/schemas/:workspace/settings/accounts',
  audit: '/schemas/:workspace/settings/audit',
} as const;

/** Whether the console has a page for a path. */
export function isPage(path: string): boolean {
  return Object.values(ROUTES).some((template) => matchPath(template, path) !== undefined);
}

/** Matches a path against a template (`/schemas/:workspace/branches`); undefined if it does not match. */
export function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (given.at(-1) === '' && given.length === wanted.length + 1) given.pop();
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = decodePart(given[index] ?? '');
    if (!part.startsWith(':') && part !== text) return undefined;
    if (part.startsWith(':') && (text === undefined || text === '')) return undefined;
    if (part.startsWith(':') && text !== undefined) found[part.slice(1)] = text;
  }
  return found;
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
