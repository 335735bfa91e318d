const KEY = 'branchline-workspace';

/** The workspace that this browser signed in to last; a browser may keep nothing. */
export function rememberedWorkspace(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export function rememberWorkspace(workspaceId: string): void {
  try {
    localStorage.setItem(KEY, workspaceId);
  } catch {
    // It is typed again next time.
  }
}
