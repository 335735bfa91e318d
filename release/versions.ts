import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that repeat the version of package.json, and where in them. */
interface Place {
  /** Paths or globs, as git takes them. */
  files: readonly string[];
  /** Matches what stands in the version's place, and nothing around it. */
  version: RegExp;
}

const IN_MANIFEST = /(?<=^ {2}"version": ")[^"]+/gm;

/** What packages of this repository want of each other. */
const BETWEEN_PACKAGES = /(?<=^ {4,}"(?:branchline|@branchline\/[\w-]+)": ")[~^]?\d[^"]*/gm;

const PLACES: readonly Place[] = [
  { files: ['package-lock.json'], version: IN_MANIFEST },
  { files: ['openapi.yaml'], version: /(?<=^ {2}(?:version|libraryVersion): )\S+/gm },
  // The first is the module's own, or its parent's.
  { files: ['android-sdk/pom.xml', 'android-sdk/**/pom.xml'], version: /(?<=^(?:(?!<version>)[^])*<version>)[^<]+/g },
  { files: ['Containerfile'], version: /(?<=^ARG VERSION=).+/gm },
  { files: ['compose.yaml'], version: /(?<= image: branchline:).+/g },
  { files: ['deploy/helm/branchline/Chart.yaml'], version: /(?<=^(?:version|appVersion): ).+/gm },
  { files: ['examples/*/gradle/libs.versions.toml'], version: /(?<=^inspector = ")[^"]+/gm },
  {
    files: ['examples/android/README.md', 'examples/kmp/README.md'],
    version: /(?<=branchline android package --version )\S+/g,
  },
  {
    files: ['docs/conformance.md', 'examples/github-actions/*.yml'],
    version: /(?<=branchline-conformance-)\d[\w.-]*(?=\.tgz)/g,
  },
  { files: ['docs/conformance.md'], version: /(?<=\/branchline@v)\S+/g },
];

interface Manifest {
  version: string;
  workspaces?: readonly string[];
}

/** The version of the repository, which stands in package.json. */
export function readVersion(repository: string): string {
  return readManifest(repository).version;
}

/** @returns a sentence for each file that has another version, or none where one is expected */
export function findOtherVersions(repository: string): string[] {
  const version = readVersion(repository);
  return listPlaces(repository).flatMap((place) => {
    const files = listFiles(repository, place);
    if (files.length === 0) return [`${place.files.join(' and ')} can't be found (release/versions.ts).`];
    return files.flatMap((path) => {
      const found = read(repository, path).match(place.version) ?? [];
      if (found.length === 0) return [`${path} does not say its version where that is expected (release/versions.ts).`];
      const other = found.find((one) => one !== version);
      if (other === undefined) return [];
      const remedy = `"npm run release -- --set-version ${version}" makes them the same`;
      return [`${path} says ${other}, and package.json ${version}; ${remedy}.`];
    });
  });
}

/** Writes a version into package.json and wherever it is repeated. */
export function setVersion(repository: string, version: string): void {
  for (const place of [{ files: ['package.json'], version: IN_MANIFEST }, ...listPlaces(repository)]) {
    for (const path of listFiles(repository, place)) {
      writeFileSync(join(repository, path), read(repository, path).replaceAll(place.version, version));
    }
  }
}

/** Those of every repository, and those of its workspaces. */
function listPlaces(repository: string): Place[] {
  const { workspaces = [] } = readManifest(repository);
  if (workspaces.length === 0) return [...PLACES];
  const manifests = workspaces.map((workspace) => `${workspace}/package.json`);
  const dependents = manifests.filter((path) => read(repository, path).match(BETWEEN_PACKAGES) !== null);
  return [
    ...PLACES,
    { files: manifests, version: IN_MANIFEST },
    { files: dependents, version: BETWEEN_PACKAGES },
    { files: ['package-lock.json'], version: matchLockedVersions(workspaces) },
    { files: ['package-lock.json'], version: BETWEEN_PACKAGES },
  ];
}

/** Of the repository and its workspaces in the lock file. */
function matchLockedVersions(workspaces: readonly string[]): RegExp {
  const names = ['', ...workspaces].join('|');
  return new RegExp(`(?<=^ {4}"(?:${names})": \\{\\n(?: {6}"name": .*\\n)? {6}"version": ")[^"]+`, 'gm');
}

function listFiles(repository: string, { files }: Place): string[] {
  const globs = files.map((file) => `:(glob)${file}`);
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...globs], { cwd: repository, encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '');
}

function read(repository: string, path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

function readManifest(repository: string): Manifest {
  return JSON.parse(read(repository, 'package.json'));
}
