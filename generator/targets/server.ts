import type { Contract } from '@branchline/contract';
import { contractFile } from '../server/contract-file.ts';
import { examplesFile } from '../server/examples-file.ts';
import { operationsFile } from '../server/operations-file.ts';
import { compilerFile, packageFile } from '../server/project.ts';
import { handlersScaffold, securityScaffold } from '../server/scaffold.ts';
import { templates } from '../server/templates.ts';
import { generatedHeader, type GeneratedFile, type Target } from '../target.ts';

/** A typed Fastify server: types, handler interfaces and the wiring; and stubs to begin with. */
export const serverTarget: Target = {
  name: 'server',
  describe: 'typed Fastify handlers and the wiring that checks every request (server/generated/)',
  async files(contract) {
    // Both bring a TypeScript compiler along; nothing else of the generator needs one.
    const [{ handlersFile }, { serverTypesFile }] = await Promise.all([
      import('../server/handlers-file.ts'),
      import('../server/types-file.ts'),
    ]);
    const generated: [name: string, text: string][] = [
      ['types.ts', await serverTypesFile(contract)],
      ['handlers.ts', handlersFile(contract)],
      ['operations.ts', operationsFile(contract)],
      ['examples.ts', examplesFile(contract)],
      ...(await templates('server')),
    ];
    return [
      ...generated.map(([name, text]) => generatedFile(name, withHeader(contract, text))),
      generatedFile('contract.json', contractFile(contract)),
      { path: 'package.json', text: await packageFile(contract), kind: 'scaffold' },
      { path: 'tsconfig.json', text: compilerFile(), kind: 'scaffold' },
      scaffold('handlers.ts', handlersScaffold(contract)),
      scaffold('security.ts', securityScaffold(contract)),
      ...(await templates('scaffold')).map(([name, text]) => scaffold(name, text)),
    ];
  },
};

function withHeader(contract: Contract, text: string): string {
  return `// ${generatedHeader(contract)}\n\n${text}`;
}

function generatedFile(name: string, text: string): GeneratedFile {
  return { path: `server/generated/${name}`, text, kind: 'generated' };
}

function scaffold(name: string, text: string): GeneratedFile {
  return { path: `server/${name}`, text, kind: 'scaffold' };
}
