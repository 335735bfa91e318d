import { readFile } from 'node:fs/promises';
import slugify from '@sindresorhus/slugify';
import type { Contract } from '@branchline/contract';

/** What a generated server stands on; what compiles it, and the Node that runs its sources as they are. */
const RUNTIME = ['ajv', 'ajv-formats', 'fastify', 'fastify-openapi-glue'];
const TOOLS = ['@types/node', 'node', 'typescript'];

/** `package.json` as a user first finds it, with the versions that this generator was tested with. */
export async function packageFile({ document }: Contract): Promise<string> {
  const versions = await ownVersions();
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, versions[name]]));
  return json({
    name: slugify(document.info.title) || 'service',
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    scripts: { start: 'node server/main.ts', check: 'tsc -p .' },
    dependencies: pick(RUNTIME),
    devDependencies: pick(TOOLS),
  });
}

/** `tsconfig.json` as a user first finds it: strict, for sources that Node runs as they are. */
export function compilerFile(): string {
  return json({
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

async function ownVersions(): Promise<Record<string, string>> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const manifest: { dependencies: Record<string, string>; devDependencies: Record<string, string> } = JSON.parse(text);
  return { ...manifest.devDependencies, ...manifest.dependencies };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
