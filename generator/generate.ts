import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isWebAddress } from '@branchline/command-line';
import type { Filter } from './configuration/config.ts';
import { findLastRun, keepRun, type Request } from './last-run.ts';
import { compareOutput, readStandingIn, type Change } from './output.ts';
import { installedProgram } from './program.ts';
import type { Choices, Target } from './target.ts';
import { targets as all } from './targets.ts';

/** What to generate, from what, to where. */
export interface GenerateOptions extends Choices {
  /** Path or URL of the contract; `-` for standard input. */
  spec: string;
  /** Refuses also what is wrong in it and hurts nobody. Defaults to false. */
  strict?: boolean | undefined;
  /** The folder that the targets' paths are relative to. Defaults to the folder of the spec, or the current one where that is on the web. */
  out?: string | undefined;
  /** Defaults to all that are made of such a contract by default. */
  targets?: readonly Target[] | undefined;
  /** The operations that are meant. Defaults to all. */
  filter?: Filter | undefined;
  /** Whether a run may do nothing where nothing has changed since the last. Not where the code of a target may have. Defaults to true. */
  remember?: boolean | undefined;
}

/** What a run would change, and where. Nothing has been written yet. */
export interface Plan {
  out: string;
  changes: Change[];
  /** How many files the targets make. */
  files: number;
  /** What is wrong in the contract and hurts nobody, one a line, as `file:line:column  sentence`. */
  warnings: readonly string[];
}

/**
 * Makes everything in memory and compares it with what there is. Where the last run was made of the same, and nobody has touched what it
 * made, there is nothing to make.
 *
 * @throws SpecError where the spec can't be used, ToolError where a program is missing that a target needs.
 */
export async function plan(options: GenerateOptions): Promise<Plan> {
  const { spec, out = findFolder(spec), strict, targets, filter = {}, ...given } = options;
  const { remember: mayRemember = true, ...choices } = given;
  const remember = mayRemember && (await isKept(spec));
  const request: Request = { spec, out, more: [strict, targets?.map(({ name }) => name), filter, choices] };
  const last = remember ? await findLastRun(request) : undefined;
  if (last !== undefined) return { out, changes: [], files: last.files.length, warnings: last.warnings };
  const program = installedProgram();
  // What reads contracts takes longer to load than to find that there is nothing to do.
  const { loadContract, printProblems, SpecError, explainUnusable } = await import('@branchline/contract');
  const { filterContract } = await import('./configuration/filter.ts');
  const { contract, files } = await explainUnusable(spec, async () => {
    const contract = filterContract(await loadContract(spec, { strict }), filter);
    const chosen = targets ?? all.filter(({ byDefault }) => byDefault?.(contract) ?? true);
    const made = await Promise.all(chosen.map((target) => target.files(contract, readStandingIn(out), choices)));
    return { contract, files: made.flat() };
  });
  if (strict === true && contract.warnings.length > 0) throw new SpecError(spec, contract.warnings);
  const warnings = printProblems(spec, contract.warnings);
  if (remember) await keepRun(request, program, contract, files, warnings);
  return { out, changes: await compareOutput(out, files), files: files.length, warnings };
}

function findFolder(spec: string): string {
  return isWebAddress(spec) ? '.' : dirname(spec);
}

/** Whether a contract can be looked at again without reading it from its source: what a pipe has given is gone. */
async function isKept(spec: string): Promise<boolean> {
  if (spec === '-' || isWebAddress(spec)) return false;
  return stat(spec).then(
    (found) => found.isFile(),
    () => false,
  );
}
