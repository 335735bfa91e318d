/** What whoever runs the server types to make a sign-in link for somebody. */
export interface LinkCommands {
  /** For who is in the workspace already. */
  link: string;
  /** For who is not yet. */
  invite: string;
}

/** @param workspaceId as far as it is known; what can't be one is left for the reader to fill in */
export function linkCommands(workspaceId: string): LinkCommands {
  const workspace = /^[a-z0-9-]+$/.test(workspaceId) ? workspaceId : '<workspace>';
  const names = `--workspace ${workspace} --email you@example.com`;
  return {
    link: `npx branchline user link ${names}`,
    invite: `npx branchline user invite ${names} --role editor`,
  };
}
