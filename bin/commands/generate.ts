import { join, relative } from 'node:path';
import { Command, Option } from 'commander';
import { isWebAddress, printWarnings } from '@branchline/command-line';
import type { Change, Choices, Plan, Runs } from '@branchline/generator';
import { printLine } from '../print.ts';
import { explainSystemErrors } from '../sentences.ts';
import { watchFiles } from '../watch.ts';

interface Options extends Choices {
  spec?: string;
  out?: string;
  config?: string | boolean;
  strict?: boolean;
  check?: boolean;
  watch?: boolean;
}

const examples = `
Examples:
  $ branchline generate                                  from ./openapi.yaml
  $ branchline generate server --spec petstore.yaml --out my-service
  $ branchline generate client --spec petstore.yaml      a TypeScript client on fetch
  $ branchline generate --spec https://example.com/api.json --out api
  $ branchline generate kotlin --spec petstore.yaml      a Kotlin Multiplatform client
  $ branchline generate --check                          in CI: is the generated code up to date?
  $ branchline generate --watch                          while the contract is being written

A server runs on a copy of the runtime in server/generated/runtime, or with --runtime package on the package @branchline/runtime.
The choice is noted in server/generated/manifest.json, and stays until another is made.

What is generated, from what and to where, can also stand in a configuration, branchline.config.ts; what is said here wins.

Without a name: server and contract, and kotlin where the contract has x-branchline-inspector. Only kotlin needs Java (11 or
newer) and, once, Maven, and only when something has changed.

Exit codes: 0 done, 1 --check found a difference, 2 the contract or the arguments can not be used, or a program is missing.
`;

/** `branchline generate`: generates code from the contract. */
export function generateCommand(): Command {
  return new Command('generate')
    .description('Generate code from an OpenAPI 3.0 or 3.1 contract, or from Swagger 2.0.')
    .argument('[targets...]', 'what to generate: server, contract, kotlin, client')
    .option(
      '--spec <file>',
      'the contract, YAML or JSON: a file or URL; - reads it from standard input (default: openapi.yaml)',
    )
    .option('--out <folder>', 'where to generate (default: the folder of the contract; of a URL this one)')
    .option(
      '--config <file>',
      'the configuration (default: branchline.config.ts, .mts, .js, .mjs or .json, where there is one)',
    )
    .option('--no-config', 'without a configuration')
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
  if (options.check === true && options.watch === true) command.error('error: --check and --watch exclude each other');
  if (options.watch === true && options.spec === '-') command.error('error: standard input can not be watched');
  if (options.watch === true && isWebAddress(options.spec ?? ''))
    command.error('error: a URL can not be watched; save the contract in a file, and watch that');
  if (options.runtime !== undefined && names.length > 0 && !names.includes('server'))
    command.error('error: --runtime is for the target server');

  const { plan, readRuns } = await import('@branchline/generator');
  const { config, ...wishes } = options;
  const read = (): Promise<Runs> => readRuns({ ...wishes, names, config: config === true ? undefined : config });
  const run = async (): Promise<void> => {
    const found = await read();
    const plans: Planned[] = [];
    for (const one of found.runs) {
      const planned = await plan(one);
      printWarnings(planned.warnings);
      plans.push({ ...planned, prefix: found.config === undefined ? '' : relative('.', planned.out) });
    }
    await (options.check === true ? check(plans, command) : write(plans));
  };
  const runExplained = (): Promise<void> => explainSystemErrors(run);
  await (options.watch === true ? watchFiles(() => listFiles(read), runExplained) : runExplained());
}

/** A plan, with what comes before its paths where they are shown. */
interface Planned extends Plan {
  prefix: string;
}

async function write(plans: readonly Planned[]): Promise<void> {
  const { apply } = await import('@branchline/generator');
  for (const { out, changes } of plans) await apply(out, changes);
  const changes = listChanges(plans);
  for (const change of changes) printLine(describe(change));
  const written = changes.filter(({ kind }) => kind !== 'remove').length;
  const files = plans.reduce((sum, one) => sum + one.files, 0);
  printLine(changes.length === 0 ? `All ${files} files are up to date.` : `${written} of ${files} files written.`);
  for (const change of changes) if (change.kind === 'create' && change.notice !== undefined) printLine(change.notice);
}

function listChanges(plans: readonly Planned[]): Change[] {
  return plans.flatMap(({ changes, prefix }) =>
    changes.map((change) => (prefix === '' ? change : { ...change, path: join(prefix, change.path) })),
  );
}

function describe({ kind, path }: Change): string {
  if (kind === 'create') return `created ${path} (yours: it will not be touched again)`;
  return `${kind === 'remove' ? 'removed' : 'wrote'} ${path}`;
}

async function check(plans: readonly Planned[], command: Command): Promise<void> {
  const { diffChanges } = await import('@branchline/generator');
  const drift = diffChanges(listChanges(plans));
  if (drift === '') return printLine('The generated files are up to date.');
  process.stdout.write(drift);
  const again = ['branchline generate', ...command.args, ...printFlags(command)].join(' ');
  printLine(`The generated files do not match the contract; run "${again}" and commit the result.`);
  process.exitCode = 1;
}

function printFlags(command: Command): string[] {
  const { spec, out, config, runtime, strict } = command.opts<Options>();
  return [
    ...(spec === undefined ? [] : [`--spec ${spec}`]),
    ...(out === undefined ? [] : [`--out ${out}`]),
    ...(typeof config === 'string' ? [`--config ${config}`] : config === false ? ['--no-config'] : []),
    ...(runtime === undefined ? [] : [`--runtime ${runtime}`]),
    ...(strict === true ? ['--strict'] : []),
  ];
}

/** The configuration and the contracts that it names. */
async function listFiles(read: () => Promise<Runs>): Promise<string[]> {
  const { config, runs } = await read();
  return [...new Set([...(config === undefined ? [] : [config]), ...runs.map(({ spec }) => spec)])];
}
