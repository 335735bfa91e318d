import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What generated code needs to know of a package of this repository. */
export interface OwnPackage {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const PACKED_RUNTIME = new URL('runtime/', import.meta.url);

/** The folder of the runtime's sources: within the generator where it is a package, beside it in the repository. */
export const RUNTIME_SOURCES = existsSync(PACKED_RUNTIME) ? PACKED_RUNTIME : new URL('../runtime/', import.meta.url);

/** The package of the generator itself. */
export function ownPackage(): Promise<OwnPackage> {
  return readPackage(new URL('package.json', import.meta.url));
}

/** The package `@branchline/runtime`. */
export function runtimePackage(): Promise<OwnPackage> {
  return readPackage(new URL('package.json', RUNTIME_SOURCES));
}

async function readPackage(url: URL): Promise<OwnPackage> {
  const manifest: OwnPackage = JSON.parse(await readFile(url, 'utf8'));
  return manifest;
}
