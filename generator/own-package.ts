import { readFile } from 'node:fs/promises';

/** What generated code needs to know of a package of this repository. */
export interface OwnPackage {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** The package of the generator itself. */
export function ownPackage(): Promise<OwnPackage> {
  return readPackage(new URL('../package.json', import.meta.url));
}

/** The package `@branchline/runtime`. */
export function runtimePackage(): Promise<OwnPackage> {
  return readPackage(new URL('../runtime/package.json', import.meta.url));
}

async function readPackage(url: URL): Promise<OwnPackage> {
  const manifest: OwnPackage = JSON.parse(await readFile(url, 'utf8'));
  return manifest;
}
