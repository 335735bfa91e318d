import { Command, Option } from 'commander';
import { printWarnings, UserError } from '@branchline/command-line';
import type { Audience } from '@branchline/contract';
import { printLine, printRows } from '../print.ts';

interface Options {
  for: Audience;
  failOn: 'error' | 'warning';
  format: 'text' | 'json' | 'markdown' | 'github';
  all?: boolean;
  allow?: string;
  allowAllTo?: string;
  rules?: boolean;
}

const examples = `
Examples:
  $ branchline diff old.yaml openapi.yaml
  $ branchline diff main:openapi.yaml openapi.yaml          the old one as git has it in the branch main
  $ branchline diff v1.2.0:openapi.yaml openapi.yaml --for both
  $ branchline diff main:openapi.yaml openapi.yaml --allow-all-to allowed.yaml
  $ branchline diff main:openapi.yaml openapi.yaml --allow allowed.yaml --format github

What narrows a request breaks clients, and so does what widens an answer; the other way round it breaks servers.

Exit codes: 0 nothing breaking, 1 breaking changes, 2 a contract or the arguments can not be used.
`;

/** `branchline diff`: breaking changes between two contracts. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('Find breaking changes between two contracts: OpenAPI 3.0 or 3.1, or Swagger 2.0.')
    .argument(
      '[old]',
      'the contract as it was: a file, - for standard input, or a revision of git such as main:openapi.yaml',
    )
    .argument('[new]', 'the contract as it is')
    .addOption(
      new Option('--for <whom>', 'whom changes are judged for: who calls the service, who implements it, or both')
        .choices(['clients', 'servers', 'both'])
        .default('clients'),
    )
    .addOption(
      new Option('--fail-on <level>', 'what ends with 1: breaking changes (error), or possibly breaking ones too')
        .choices(['error', 'warning'])
        .default('error'),
    )
    .addOption(
      new Option('--format <name>', 'how it is told').choices(['text', 'json', 'markdown', 'github']).default('text'),
    )
    .option('--all', 'show also what breaks nothing')
    .option('--allow <file>', 'a file of accepted changes')
    .option('--allow-all-to <file>', 'write a file in which all that fails now is accepted')
    .option('--rules', 'list the rules, and what they mean to clients and to servers')
    .addHelpText('after', examples)
    .action(diff);
}

async function diff(old: string | undefined, after: string | undefined, options: Options): Promise<void> {
  const { loadDiff, explainUnusable } = await import('@branchline/contract');
  const contracts = await loadDiff();
  if (options.rules === true) {
    return await printRows(
      [...contracts.RULES].map(([rule, levels]) => ({ rule, ...levels })),
      {
        json: options.format === 'json',
      },
    );
  }
  if (old === undefined || after === undefined) {
    throw new UserError('Two contracts are compared: branchline diff main:openapi.yaml openapi.yaml');
  }
  if (old === '-' && after === '-') throw new UserError('Only one of the contracts can come from standard input.');
  const today = new Date();
  const [before, now] = [await contracts.loadNamed(old), await contracts.loadNamed(after)];
  const allowances = options.allow === undefined ? [] : await contracts.readAllowances(options.allow);
  const findings = await explainUnusable(now.name, () =>
    contracts.diffContracts(before.contract, now.contract, { today }),
  );
  const report = {
    ...contracts.applyAllowances(findings, allowances, today),
    old: before.name,
    new: now.name,
    audience: options.for,
    failOn: options.failOn,
    showsAll: options.all === true,
  };
  const failures = contracts.listFailures(report);
  if (options.allowAllTo !== undefined) {
    const used = allowances.filter((allowance) => !report.idle.some((idle) => idle.allowance === allowance));
    const count = await contracts.writeAllowances(options.allowAllTo, failures, used, today);
    return printLine(
      `${options.allowAllTo} allows ${count} ${count === 1 ? 'change' : 'changes'}. Say in it why, and use it with --allow.`,
    );
  }
  printWarnings([...before.warnings, ...now.warnings]);
  if (options.format === 'text') printWarnings(report.idle.map(({ sentence }) => sentence));
  printLine(contracts.FORMATS[options.format](report).trimEnd());
  if (failures.length > 0) process.exitCode = 1;
}
