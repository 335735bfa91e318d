/** The link that somebody opens to sign in. What follows `#` gets into no log. */
export function signInUrl(origin: string, workspaceId: string, token: string): string {
  return `${origin}/sign-in#${workspaceId}.${token}`;
}
