/** The commands with which the server's operator creates a sign-in link. */
export interface LinkCommands {
  /** For a member of the workspace. */
  link: string;
  /** For a new person. */
  invite: string;
}

/** @param workspaceId if known; an invalid one becomes a placeholder */
export function linkCommands(workspaceId: string): LinkCommands {
  const workspace = /^[a-z0-9-]+$/.test(workspaceId) ? workspaceId : '<workspace>';
  const names = `--workspace ${workspace} --email you@example.com`;
  return {
    link: `npx branchline user link ${names}`,
    invite: `npx branchline user invite ${names} --role editor`,
  };
}
