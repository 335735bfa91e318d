import slugify from '@sindresorhus/slugify';
import type { Contract } from '@branchline/contract';
import { ownPackage, runtimePackage } from '../../own-package.ts';
import type { RuntimeChoice } from '../../target.ts';

/** What compiles a generated server, and the Node that runs its sources as they are. */
const TOOLS = new Set(['@types/node', 'node', 'typescript']);

/** `package.json` as a user first finds it, with the versions that this generator was tested with. */
export async function makePackageFile({ document }: Contract, runtime: RuntimeChoice): Promise<string> {
  return printJson({
    name: slugify(document.info.title) || 'service',
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    scripts: { start: 'node server/main.ts', check: 'tsc -p .' },
    dependencies: await listDependencies(runtime),
    devDependencies: await listTools(),
  });
}

/** `tsconfig.json` as a user first finds it: strict, for sources that Node runs as they are. */
export function makeCompilerFile(): string {
  return printJson({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'esnext.collection'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ['server'],
  });
}

/** The runtime as a package; or what a copy of it stands on. */
async function listDependencies(runtime: RuntimeChoice): Promise<Record<string, string>> {
  const { version, dependencies, peerDependencies } = await runtimePackage();
  const own = runtime === 'package' ? { '@branchline/runtime': `^${version}` } : dependencies;
  return sortByName({ ...own, ...peerDependencies });
}

async function listTools(): Promise<Record<string, string>> {
  const { dependencies, devDependencies } = await ownPackage();
  const versions = Object.entries({ ...devDependencies, ...dependencies });
  return sortByName(Object.fromEntries(versions.filter(([name]) => TOOLS.has(name))));
}

/** As npm writes them. */
function sortByName(versions: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(versions).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function printJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
