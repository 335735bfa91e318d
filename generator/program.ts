import { readdirSync, readFileSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RUNTIME_SOURCES } from './own-package.ts';
import { sha256 } from './sha256.ts';

/** The generator as it is installed: its own files, and the packages that it stands on. What it makes depends on nothing else of it. */
export interface Program {
  /** Files, and folders with their lists of files. */
  paths: readonly string[];
  /** A hash over them: it is another once there is another version of one. */
  stamp: string;
}

const MANIFEST = fileURLToPath(new URL('package.json', import.meta.url));

/** Where the generator is installed. */
export const PROGRAM_FOLDER = dirname(MANIFEST);

let installed: Program | undefined;

/** As it was when this was first asked: what runs has been loaded by then. */
export function installedProgram(): Program {
  return (installed ??= readProgram());
}

function readProgram(): Program {
  const manifests = listManifests();
  const own = manifests.filter((path) => path === MANIFEST || readManifest(path).name?.startsWith('@branchline/'));
  const folders = new Set([...own.map((path) => dirname(path)), dirname(fileURLToPath(new URL('x', RUNTIME_SOURCES)))]);
  const paths = [...new Set([...manifests, ...[...folders].flatMap(listTree)])].toSorted();
  return { paths, stamp: stampPaths(paths) };
}

export function isSameProgram({ paths, stamp }: Program): boolean {
  try {
    return stampPaths(paths) === stamp;
  } catch {
    return false;
  }
}

function stampPaths(paths: readonly string[]): string {
  return sha256(paths.map((path) => `${path} ${stampPath(path)}`).join('\n'));
}

/** Of a package its version tells, as it is unpacked with the times of its making; of sources, when they were written. */
function stampPath(path: string): string {
  if (basename(path) === 'package.json') return sha256(readFileSync(path));
  const { ino, size, mtimeMs } = statSync(path);
  return `${ino} ${size} ${mtimeMs}`;
}

interface Manifest {
  name?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** The manifests of the generator and of all packages that it depends on, also by way of others. */
function listManifests(): string[] {
  const found = new Set([MANIFEST]);
  // A set goes on to what is added to it meanwhile.
  for (const path of found) {
    const { dependencies, peerDependencies } = readManifest(path);
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const manifest = findManifest(name, path);
      if (manifest !== undefined) found.add(manifest);
    }
  }
  return [...found];
}

/** `undefined` for what is not installed, such as an optional peer. */
function findManifest(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(from));
  } catch {
    return undefined;
  }
}

function readManifest(path: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
  return manifest;
}

function listTree(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return [folder, ...entries.flatMap((entry) => listEntry(join(folder, entry.name), entry.isDirectory()))];
}

function listEntry(path: string, isFolder: boolean): string[] {
  if (isFolder) return listTree(path);
  return /\.(?:d\.ts|map|test\.ts)$/.test(path) ? [] : [path];
}
