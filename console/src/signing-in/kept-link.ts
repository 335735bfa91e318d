import { type LinkToken, linkTokenIn } from './link-token.ts';

const KEY = 'branchline-sign-in-link';

/**
 * The link that this tab was opened with, until it is used. It is removed from the URL at once, where people could read it
 * over a shoulder and the history would keep it, and it survives a reload of the tab.
 *
 * @returns `broken` if the URL's fragment is not a sign-in link
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
    // After a reload, the link has to be opened again.
  }
  return link;
}

/** Removes the link of this tab: it was used, or does not work. */
export function forgetLink(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There is nothing to remove.
  }
}

function keptFragment(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
