import { dirname } from 'node:path';
import { loadContract } from './load.ts';
import { changesTo, type Change } from './output.ts';
import type { Target } from './target.ts';

/** What to generate, from what, to where. */
export interface GenerateOptions {
  /** Path of the contract. */
  spec: string;
  /** The folder that the targets' paths are relative to. Defaults to the folder of the spec. */
  out?: string | undefined;
  targets: readonly Target[];
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
 * @throws SpecError where the spec can't be used.
 */
export async function plan({ spec, out = dirname(spec), targets }: GenerateOptions): Promise<Plan> {
  const contract = await loadContract(spec);
  const made = await Promise.all(targets.map((target) => target.files(contract)));
  const files = made.flat();
  return { out, changes: await changesTo(out, files), files: files.length };
}
