/** What of this repository's package.json holds for the package too. */
interface Repository {
  version: string;
  license: string;
  engines: { node: string };
  dependencies: Record<string, string>;
}

/**
 * The package.json of the package.
 *
 * @throws Error where it needs a package that is no dependency of this repository.
 */
export function manifestFor(repository: string, packages: readonly string[]): object {
  const { version, license, engines, dependencies }: Repository = JSON.parse(repository);
  const versionOf = (name: string): string => {
    const range = dependencies[name];
    if (range === undefined) throw new Error(`The package imports ${name}, which is no dependency in package.json.`);
    return range;
  };
  return {
    name: 'branchline-conformance',
    version,
    description: 'Tries a service of the Branch Management HTTP API, or an Inspector library, clause by clause.',
    keywords: ['conformance', 'contract', 'openapi', 'testing'],
    license,
    type: 'module',
    bin: { 'branchline-conformance': 'conformance/package/branchline-conformance.js' },
    engines,
    files: ['conformance', 'docs', 'examples', 'openapi.yaml'],
    dependencies: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  };
}
