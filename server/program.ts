import { existsSync, readFileSync, statSync } from 'node:fs';

/** Made by `npm run build:server`, and for the package. */
const BUNDLE = new URL('dist/bundle/main.js', import.meta.url);

/** Of which it was made; a package has none, and its bundle stays as it is. */
const SOURCES = new URL('dist/sources.json', import.meta.url);

/**
 * Loads the server: from its bundle, if there is one of these very sources, and otherwise from them. A few files start faster than
 * the thousand that it is made of.
 */
export async function loadProgram(): Promise<typeof import('./main.ts')> {
  return hasBundle() ? import(BUNDLE.href) : import('./main.ts');
}

/** Whether there is a bundle of these very sources. */
export function hasBundle(bundle = BUNDLE, sources = SOURCES): boolean {
  return existsSync(bundle) && (!existsSync(sources) || areAsTheyWere(sources));
}

function areAsTheyWere(list: URL): boolean {
  const sources: [path: string, size: number, writtenMs: number][] = JSON.parse(readFileSync(list, 'utf8'));
  return sources.every(([path, size, writtenMs]) => {
    const now = statSync(new URL(`../${path}`, import.meta.url), { throwIfNoEntry: false });
    return now?.size === size && now.mtimeMs === writtenMs;
  });
}
