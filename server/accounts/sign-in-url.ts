/** The URL of a sign-in link. The part after `#` never reaches a log. */
export function signInUrl(origin: string, workspaceId: string, token: string): string {
  return `${origin}/sign-in#${workspaceId}.${token}`;
}
