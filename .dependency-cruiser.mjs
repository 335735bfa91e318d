/** Which workspaces each workspace may import: arrows point down only. */
const BELOW = {
  'command-line': [],
  console: ['server'],
  runtime: [],
  contract: ['command-line'],
  server: ['command-line', 'runtime'],
  generator: ['command-line', 'contract', 'runtime'],
  conformance: ['command-line', 'contract'],
  packaging: ['command-line', 'generator'],
  bin: ['command-line', 'conformance', 'contract', 'generator', 'packaging', 'server'],
};

const WORKSPACES = Object.keys(BELOW);

const FOLDERS = [...WORKSPACES, 'android-sdk', 'bench', 'deploy', 'docs', 'examples', 'npm', 'release', 'test'];

/** The server's second door, for pages. */
const BROWSER = String.raw`^server/browser\.ts$`;

/** Tests may use what the top-level test/ offers to all. */
const TESTS = String.raw`\.test\.ts$|/testing/`;

const anyOf = (folders) => `^(${folders.join('|')})/`;

const arrows = (folder, reach, from) => ({
  severity: 'error',
  from: { path: `^${folder}/`, ...from },
  to: { path: anyOf(FOLDERS.filter((other) => other !== folder && !reach.includes(other))) },
});

export default {
  forbidden: [
    ...Object.entries(BELOW).flatMap(([folder, below]) => [
      { name: `${folder}-imports-only-below`, ...arrows(folder, below, { pathNot: TESTS }) },
      {
        name: `tests-of-${folder}-import-only-below`,
        ...arrows(folder, [...below, 'test'], { path: `^${folder}/.*(${TESTS})` }),
      },
    ]),
    {
      name: 'only-the-door',
      comment: 'A workspace is imported through its index.ts alone, by its name.',
      severity: 'error',
      from: { path: `^(${WORKSPACES.join('|')})/` },
      to: { path: anyOf(WORKSPACES), pathNot: ['^$1/', String.raw`^[^/]+/index\.ts$`, BROWSER] },
    },
    {
      name: 'only-for-browsers',
      comment: 'Pages get nothing of the server but what browsers can run.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^server/', pathNot: BROWSER },
    },
    {
      name: 'by-name',
      comment: 'Another workspace is imported as @branchline/…, as its users do.',
      severity: 'error',
      from: { path: `^(${WORKSPACES.join('|')})/` },
      to: { path: anyOf(WORKSPACES), pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-what-is-there',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^generator/targets/[^/]+/templates/', '^server/console/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
