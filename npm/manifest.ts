import { type Manifest, root, type Workspace } from './workspaces.ts';

/**
 * The package.json of a package.
 *
 * @param packages those that it imports
 * @param bundled the workspaces that come in its tarball
 * @throws Error where its dependencies are not just those.
 */
export function makeManifest(
  { folder, manifest }: Workspace,
  packages: readonly string[],
  bundled: readonly Workspace[],
): object {
  refuseOtherDependencies(manifest, packages);
  const { private: _, files: __, exports: doors, ...rest } = manifest;
  const theirs = bundled.flatMap((one) => Object.entries(one.manifest.dependencies));
  return {
    ...rest,
    repository: { ...root.repository, directory: folder },
    publishConfig: { access: 'public', provenance: true },
    exports: Object.fromEntries(Object.entries(doors).map(([name, path]) => [name, makeDoor(path)])),
    // npm does not look into a tarball for what is missing there.
    dependencies: sortKeys({ ...Object.fromEntries(theirs), ...manifest.dependencies }),
  };
}

function makeDoor(path: string): string | { types: string; default: string } {
  const [, source] = /^(.+)\.ts$/.exec(path) ?? [];
  return source === undefined ? path : { types: `${source}.d.ts`, default: `${source}.js` };
}

function refuseOtherDependencies(
  { name, dependencies, peerDependencies }: Manifest,
  packages: readonly string[],
): void {
  const named = Object.keys({ ...dependencies, ...peerDependencies });
  const missing = packages.filter((one) => !named.includes(one));
  if (missing.length > 0) throw new Error(`${name} imports ${missing.join(', ')}, which is no dependency of it.`);
  const unused = named.filter((one) => !packages.includes(one));
  if (unused.length > 0) throw new Error(`${name} depends on ${unused.join(', ')}, which it does not import.`);
}

function sortKeys<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}
