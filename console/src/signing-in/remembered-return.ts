const KEY = 'branchline-return';

/** Stores, for this tab, the path to open after the provider returns; undefined for the default. */
export function rememberReturn(back: string | undefined): void {
  try {
    if (back === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, back);
  } catch {
    // The list of branches opens instead.
  }
}

export function rememberedReturn(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
