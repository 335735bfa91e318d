import type { Contract } from '@branchline/contract';
import { makeManifest } from '../../manifest.ts';
import { printContract } from '../../contract-document.ts';
import { printHandlers } from './handlers-file.ts';
import { Models } from '../../typescript/models.ts';
import { printServerTypes } from '../../typescript/types-file.ts';
import { planWithErrors } from './error-plan.ts';
import { createReplySamples } from './example-reply.ts';
import { printExamples } from './examples-file.ts';
import { checkServable } from './servability.ts';
import { printReplies } from './replies-file.ts';
import { printSchemas, selectSchemas } from './schemas-file.ts';
import { printOperations } from './operations-file.ts';
import { makeCompilerFile, makePackageFile } from './project-files.ts';
import { RUNTIME_MODULES, chooseRuntime } from './runtime-choice.ts';
import { printHandlersScaffold } from './handlers-scaffold.ts';
import { describeUnchecked, printSecurityScaffold } from './security-scaffold.ts';
import { readCopiedFiles } from '../../typescript/copied-files.ts';
import { printWiring } from './wiring-file.ts';
import { makeSenderFiles } from './senders/sender-files.ts';
import {
  type Choices,
  GENERATED,
  generatedHeader,
  type GeneratedFile,
  type RuntimeChoice,
  type Standing,
} from '../../target.ts';

const FOLDER = 'server/generated';

/** See `Target.files`. */
export async function makeServerFiles(
  contract: Contract,
  standing: Standing,
  choices: Choices = {},
): Promise<GeneratedFile[]> {
  const runtime = await chooseRuntime(FOLDER, standing, choices);
  const files = [...(await generatedFiles(contract, runtime)), ...(runtime === 'copy' ? await runtimeFiles() : [])];
  return [
    ...files,
    await makeManifest(FOLDER, contract, files, { runtime }),
    { path: 'package.json', text: await makePackageFile(contract, runtime), kind: 'scaffold' },
    { path: 'tsconfig.json', text: makeCompilerFile(), kind: 'scaffold' },
    ...printHandlersScaffold(contract).map(([name, text]) => scaffold(name, text)),
    { ...scaffold('security.ts', printSecurityScaffold(contract)), notice: describeUnchecked(contract) },
    ...(await readCopiedFiles('scaffold')).map(([name, text]) => scaffold(name, text)),
  ];
}

async function generatedFiles(contract: Contract, runtime: RuntimeChoice): Promise<GeneratedFile[]> {
  const module = RUNTIME_MODULES[runtime];
  const replies = createReplySamples(contract);
  const operations = contract.operations.map((operation) => planWithErrors(contract, operation, replies));
  const schemas = selectSchemas(contract, operations);
  await checkServable(contract, operations, schemas);
  const models = new Models(contract);
  const handlers = await printHandlers(contract, module, models);
  const files: [name: string, text: string][] = [
    ['types.ts', printServerTypes(contract, module)],
    ['models.ts', models.print()],
    ['handlers.ts', handlers],
    ['operations.ts', printOperations(operations, module)],
    ['examples.ts', printExamples(contract, module, replies)],
    ['wiring.ts', printWiring(module)],
    ...(await makeSenderFiles(contract)),
  ];
  return [
    ...files.map(([name, text]) => generated(name, `// ${generatedHeader(contract)}\n\n${text}`)),
    generated('contract.json', printContract(contract)),
    generated('schemas.json', printSchemas(contract, schemas)),
    generated('replies.json', printReplies(contract)),
  ];
}

async function runtimeFiles(): Promise<GeneratedFile[]> {
  const header = `// Copied from @branchline/runtime ${GENERATED}; do not edit.`;
  return (await readCopiedFiles('runtime')).map(([name, text]) => generated(`runtime/${name}`, `${header}\n\n${text}`));
}

function generated(name: string, text: string): GeneratedFile {
  return { path: `${FOLDER}/${name}`, text, kind: 'generated' };
}

function scaffold(name: string, text: string): GeneratedFile {
  return { path: `server/${name}`, text, kind: 'scaffold' };
}
