/** The commands with which the server's operator creates a sign-in link. */
export interface LinkCommands {
  /** For a member of the workspace. */
  link: string;
  /** For a new person. */
  invite: string;
}

/** Where the command takes people to be, if nothing else is said. */
const DEFAULT_ORIGINS = new Set(['http://localhost:3000', 'http://127.0.0.1:3000']);

/**
 * @param workspaceId if known; an invalid one becomes a placeholder
 * @param origin where the console is open
 */
export function linkCommands(workspaceId: string, origin: string): LinkCommands {
  const workspace = /^[a-z0-9-]+$/.test(workspaceId) ? workspaceId : '<workspace>';
  const names = `--workspace ${workspace} --email you@example.com`;
  const place = DEFAULT_ORIGINS.has(origin) ? '' : ` --origin ${origin}`;
  return {
    link: `npx branchline user link ${names}${place}`,
    invite: `npx branchline user invite ${names} --role editor${place}`,
  };
}
