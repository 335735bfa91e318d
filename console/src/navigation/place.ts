import { signal } from '@preact/signals';
import { isConsolePath } from './paths.ts';

/** The current URL, which determines everything that a page shows. */
export interface Place {
  path: string;
  query: URLSearchParams;
}

export const place = signal<Place>(read());

/** The number of history entries of this visit before the current one, so that going back stays within the console. */
export function stepsBehind(): number {
  return numberInState('steps');
}

function numberInState(name: 'steps' | 'scrolled'): number {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && name in state ? Number(Reflect.get(state, name)) : 0;
}

/** Opens a page of the console. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState({ steps: stepsBehind() }, '', href);
  else {
    history.replaceState({ steps: stepsBehind(), scrolled: window.scrollY }, '');
    history.pushState({ steps: stepsBehind() + 1 }, '', href);
  }
  const before = place.value.path;
  place.value = read();
  if (before !== place.value.path) window.scrollTo(0, 0);
}

/** The current path with other parameters; empty ones are left out, and lists restart at the first page. */
export function withQuery(changes: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const query = new URLSearchParams(place.value.query);
  query.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const one of [value ?? []].flat()) if (one !== '') query.append(name, one);
  }
  return `${place.value.path}${query.size === 0 ? '' : `?${query}`}`;
}

/** Makes links within the console, and the browser's Back and Forward, change the place without loading a page. */
export function followLinks(): void {
  window.addEventListener('popstate', () => {
    place.value = read();
    scrollWhenLongEnough(numberInState('scrolled'));
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || !isPlain(event) || !isOfConsole(link)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

/** Scrolls to where the reader was, as soon as the content is back, unless the reader or the page moves on before. */
function scrollWhenLongEnough(top: number): void {
  if (top === 0) return;
  const page = document.documentElement;
  const growing = new ResizeObserver(() => {
    if (page.scrollHeight < top + window.innerHeight) return;
    window.scrollTo(0, top);
    moved.abort();
  });
  const moved = new AbortController();
  moved.signal.addEventListener('abort', () => growing.disconnect());
  for (const type of ['wheel', 'pointerdown', 'keydown', 'popstate']) {
    window.addEventListener(type, () => moved.abort(), { signal: moved.signal });
  }
  growing.observe(document.body);
}

function isPlain(event: MouseEvent): boolean {
  return (
    event.button === 0 &&
    !event.defaultPrevented &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey
  );
}

function isOfConsole(link: HTMLAnchorElement): boolean {
  if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download') || link.hash !== '')
    return false;
  return isConsolePath(link.pathname);
}

function read(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}
