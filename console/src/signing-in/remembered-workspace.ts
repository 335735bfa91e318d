const KEY = 'branchline-workspace';

/** The workspace that this browser last signed in to; storage may be unavailable. */
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
    // People type it again next time.
  }
}
