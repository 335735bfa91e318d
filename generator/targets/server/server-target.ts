import type { Contract } from '@branchline/contract';
import { manifestFile } from '../../manifest.ts';
import { contractFile } from '../../contract-document.ts';
import { examplesFile } from './examples-file.ts';
import { operationsFile } from './operations-file.ts';
import { compilerFile, packageFile } from './project-files.ts';
import { RUNTIME_MODULES, runtimeChoice } from './runtime-choice.ts';
import { handlersScaffold, securityScaffold } from './scaffold.ts';
import { templates } from '../../typescript/copied-files.ts';
import { wiringFile } from './wiring-file.ts';
import { GENERATED, generatedHeader, type GeneratedFile, type RuntimeChoice, type Target } from '../../target.ts';

const FOLDER = 'server/generated';

/** A typed Fastify server: types, handler interfaces and the wiring; and stubs to begin with. */
export const serverTarget: Target = {
  name: 'server',
  describe: 'typed Fastify handlers and the wiring that checks every request (server/generated/)',
  async files(contract, standing, choices = {}) {
    const runtime = await runtimeChoice(FOLDER, standing, choices);
    const files = [...(await generatedFiles(contract, runtime)), ...(runtime === 'copy' ? await runtimeFiles() : [])];
    return [
      ...files,
      await manifestFile(FOLDER, contract, files, { runtime }),
      { path: 'package.json', text: await packageFile(contract, runtime), kind: 'scaffold' },
      { path: 'tsconfig.json', text: compilerFile(), kind: 'scaffold' },
      scaffold('handlers.ts', handlersScaffold(contract)),
      scaffold('security.ts', securityScaffold(contract)),
      ...(await templates('scaffold')).map(([name, text]) => scaffold(name, text)),
    ];
  },
};

async function generatedFiles(contract: Contract, runtime: RuntimeChoice): Promise<GeneratedFile[]> {
  // Both bring a TypeScript compiler along; nothing else of the generator needs one.
  const [{ handlersFile }, { serverTypesFile }] = await Promise.all([
    import('./handlers-file.ts'),
    import('../../typescript/types-file.ts'),
  ]);
  const module = RUNTIME_MODULES[runtime];
  const files: [name: string, text: string][] = [
    ['types.ts', await serverTypesFile(contract)],
    ['handlers.ts', handlersFile(contract, module)],
    ['operations.ts', operationsFile(contract, module)],
    ['examples.ts', examplesFile(contract, module)],
    ['wiring.ts', wiringFile(module)],
  ];
  return [
    ...files.map(([name, text]) => generated(name, `// ${generatedHeader(contract)}\n\n${text}`)),
    generated('contract.json', contractFile(contract)),
  ];
}

async function runtimeFiles(): Promise<GeneratedFile[]> {
  const header = `// Copied from @branchline/runtime ${GENERATED}; do not edit.`;
  return (await templates('runtime')).map(([name, text]) => generated(`runtime/${name}`, `${header}\n\n${text}`));
}

function generated(name: string, text: string): GeneratedFile {
  return { path: `${FOLDER}/${name}`, text, kind: 'generated' };
}

function scaffold(name: string, text: string): GeneratedFile {
  return { path: `server/${name}`, text, kind: 'scaffold' };
}
