import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { UserError } from '@branchline/command-line';
import type { Change, Choices, Plan } from '@branchline/generator';
import { printLine } from '../print.ts';
import { explainSystemErrors } from '../sentences.ts';

interface Options extends Choices {
  spec: string;
  out?: string;
  strict?: boolean;
  check?: boolean;
  watch?: boolean;
}

const examples = `
Examples:
  $ branchline generate                                  from ./openapi.yaml
  $ branchline generate server --spec petstore.yaml --out my-service
  $ branchline generate client --spec petstore.yaml      a TypeScript client on fetch
  $ branchline generate kotlin --spec petstore.yaml      a Kotlin Multiplatform client
  $ branchline generate --check                          in CI: is the generated code up to date?
  $ branchline generate --watch                          while the contract is being written

A server runs on a copy of the runtime in server/generated/runtime, or with --runtime package on the package @branchline/runtime.
The choice is noted in server/generated/manifest.json, and stays until another is made.

Without a name: server and contract, and kotlin where the contract has x-branchline-inspector. Only kotlin needs Java (11 or
newer) and, once, Maven, and only when something has changed.

Exit codes: 0 done, 1 --check found a difference, 2 the contract or the arguments can not be used, or a program is missing.
`;

/** `branchline generate`: generates code from the contract. */
export function generateCommand(): Command {
  return new Command('generate')
    .description('Generate code from an OpenAPI 3.0 or 3.1 contract, or from Swagger 2.0.')
    .argument('[targets...]', 'what to generate: server, contract, kotlin, client')
    .option('--spec <file>', 'the contract, YAML or JSON; - reads it from standard input', 'openapi.yaml')
    .option('--out <folder>', 'where to generate (default: the folder of the contract)')
    .addOption(
      new Option('--runtime <kind>', 'what a server runs on (default: as in the last run; in the first: copy)').choices(
        ['copy', 'package'],
      ),
    )
    .option('--strict', 'refuse also what is wrong in the contract and hurts nobody, instead of a warning')
    .option('--check', 'write nothing; show a diff and exit with 1 if a generated file is not up to date')
    .option('--watch', 'generate again whenever the contract changes')
    .addHelpText('after', examples)
    .action(generate);
}

async function generate(names: string[], options: Options, command: Command): Promise<void> {
  enableCompileCache();
  if (options.check === true && options.watch === true) command.error('error: --check and --watch exclude each other');
  if (options.watch === true && options.spec === '-') command.error('error: standard input can not be watched');
  const { plan, targets } = await import('@branchline/generator');
  const known = targets.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    command.error(`error: there is no target "${unknown}"; the targets are: ${known.join(', ')}`);
  if (options.runtime !== undefined && names.length > 0 && !names.includes('server'))
    command.error('error: --runtime is for the target server');

  const chosen = names.length === 0 ? undefined : targets.filter(({ name }) => names.includes(name));
  const run = async (): Promise<void> => {
    const { spec, out, runtime, strict } = options;
    const found = await plan({ spec, out, targets: chosen, runtime, strict });
    for (const warning of found.warnings) process.stderr.write(`Warning: ${warning}\n`);
    await (options.check === true ? check(found, command) : write(found));
  };
  await (options.watch === true ? watch(options.spec, run) : explainSystemErrors(run));
}

async function write({ out, changes, files }: Plan): Promise<void> {
  const { apply } = await import('@branchline/generator');
  await apply(out, changes);
  for (const change of changes) printLine(describe(change));
  const written = changes.filter(({ kind }) => kind !== 'remove').length;
  printLine(changes.length === 0 ? `All ${files} files are up to date.` : `${written} of ${files} files written.`);
}

function describe({ kind, path }: Change): string {
  if (kind === 'create') return `created ${path} (yours: it will not be touched again)`;
  return `${kind === 'remove' ? 'removed' : 'wrote'} ${path}`;
}

async function check({ changes }: Plan, command: Command): Promise<void> {
  const { diffChanges } = await import('@branchline/generator');
  const drift = diffChanges(changes);
  if (drift === '') return printLine('The generated files are up to date.');
  process.stdout.write(drift);
  const again = ['branchline generate', ...command.args, ...printFlags(command)].join(' ');
  printLine(`The generated files do not match the contract; run "${again}" and commit the result.`);
  process.exitCode = 1;
}

function printFlags(command: Command): string[] {
  const { spec, out, runtime, strict } = command.opts<Options>();
  return [
    ...(spec === 'openapi.yaml' ? [] : [`--spec ${spec}`]),
    ...(out === undefined ? [] : [`--out ${out}`]),
    ...(runtime === undefined ? [] : [`--runtime ${runtime}`]),
    ...(strict === true ? ['--strict'] : []),
  ];
}

/** Generates now and after every change, one run at a time, until the process stops. @throws UserError when the folder is removed */
async function watch(spec: string, run: () => Promise<void>): Promise<void> {
  const { watch: watchFile } = await import('chokidar');
  const runAndReport = async (): Promise<void> => {
    try {
      await explainSystemErrors(run);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
    printLine(`Watching ${spec}; Ctrl+C ends it.`);
  };
  // Editors may write a file in several steps, so wait for the last one.
  const awaitWriteFinish = { stabilityThreshold: 50, pollInterval: 10 };
  const watcher = watchFile(spec, { ignoreInitial: true, awaitWriteFinish });
  await once(watcher, 'ready');
  const folder = dirname(resolve(spec));
  const folderGone = Promise.withResolvers<never>();
  let last = runAndReport();
  watcher.on('all', () => {
    // In a folder that is gone chokidar looks again without pause.
    if (existsSync(folder)) last = last.then(runAndReport);
    else folderGone.reject(new UserError(`The folder of the contract is gone: ${folder}`));
  });
  await last;
  await folderGone.promise.finally(() => watcher.close());
}
