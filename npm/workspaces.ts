import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** What a workspace's package.json says, as far as packages are made from it. */
export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  description: string;
  keywords: string[];
  license: string;
  type: string;
  bin?: Record<string, string>;
  exports: Record<string, string>;
  /** What is read at run time, and copied as it is. */
  files?: string[];
  engines: { node: string };
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  bundleDependencies?: string[];
}

/** A top-level folder that becomes an npm package. */
export interface Workspace {
  folder: string;
  manifest: Manifest;
}

interface Root {
  workspaces: string[];
  repository: { type: string; url: string };
}

export const root: Root = readManifest('.');

/** All that are published. */
export function listPublished(): Workspace[] {
  return root.workspaces
    .map((folder): Workspace => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** The workspaces of these names, and all others of this repository that they depend on. */
export function addDependencies(names: readonly string[]): Workspace[] {
  const all = listPublished();
  const wanted = new Set(names);
  // A set goes on to what is added to it meanwhile.
  for (const name of wanted) {
    const found = all.find(({ manifest }) => manifest.name === name);
    for (const dependency of Object.keys(found?.manifest.dependencies ?? {})) wanted.add(dependency);
  }
  return all.filter(({ manifest }) => wanted.has(manifest.name));
}

function readManifest<Read>(folder: string): Read {
  const manifest: Read = JSON.parse(readFileSync(join(REPOSITORY, folder, 'package.json'), 'utf8'));
  return manifest;
}
