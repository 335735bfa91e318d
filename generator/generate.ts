import { dirname } from 'node:path';
import { loadContract } from '@branchline/contract';
import { compareOutput, readStandingIn, type Change } from './output.ts';
import type { Choices, Target } from './target.ts';
import { targets as all } from './targets.ts';

/** What to generate, from what, to where. */
export interface GenerateOptions extends Choices {
  /** Path of the contract. */
  spec: string;
  /** The folder that the targets' paths are relative to. Defaults to the folder of the spec. */
  out?: string | undefined;
  /** Defaults to all that are made of such a contract by default. */
  targets?: readonly Target[] | undefined;
}

/** What a run would change, and where. Nothing has been written yet. */
export interface Plan {
  out: string;
  changes: Change[];
  /** How many files the targets make. */
  files: number;
}

/**
 * Makes everything in memory and compares it with what there is.
 *
 * @throws SpecError where the spec can't be used, ToolError where a program is missing that a target needs.
 */
export async function plan({ spec, out = dirname(spec), targets, ...choices }: GenerateOptions): Promise<Plan> {
  const contract = await loadContract(spec);
  const chosen = targets ?? all.filter(({ byDefault }) => byDefault?.(contract) ?? true);
  const made = await Promise.all(chosen.map((target) => target.files(contract, readStandingIn(out), choices)));
  const files = made.flat();
  return { out, changes: await compareOutput(out, files), files: files.length };
}
