/** The contents of a sign-in link. */
export interface LinkToken {
  workspaceId: string;
  token: string;
}

/** @param fragment the fragment of a sign-in link: `#<workspace>.<token>` */
export function linkTokenIn(fragment: string): LinkToken | undefined {
  const [, workspaceId, token] = /^#([^.]+)\.(.+)$/.exec(fragment) ?? [];
  return workspaceId === undefined || token === undefined ? undefined : { workspaceId, token };
}
