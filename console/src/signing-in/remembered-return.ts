const KEY = 'branchline-return';

/** Keeps, in this tab, where to go once the provider has brought the reader back; undefined: nowhere in particular. */
export function rememberReturn(back: string | undefined): void {
  try {
    if (back === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, back);
  } catch {
    // They come to the list of branches instead.
  }
}

export function rememberedReturn(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
