import { type LinkToken, linkTokenIn } from './link-token.ts';

const KEY = 'branchline-sign-in-link';

/**
 * The link that this tab was opened with, until it is used. It leaves the address at once, where it would be read over a
 * shoulder and kept by the history, and survives a reload of the tab.
 *
 * @returns `broken` where the address holds something that is no link
 */
export function takeLink(): LinkToken | 'broken' | undefined {
  const fragment = location.hash;
  if (fragment === '') return linkTokenIn(keptFragment());
  history.replaceState(history.state, '', location.pathname + location.search);
  const link = linkTokenIn(fragment);
  if (link === undefined) return 'broken';
  try {
    sessionStorage.setItem(KEY, fragment);
  } catch {
    // Then a reload asks for the link again.
  }
  return link;
}

/** Forgets the link of this tab: it was used, or does not work. */
export function forgetLink(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

function keptFragment(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
