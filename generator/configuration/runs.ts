import { dirname, join, relative, resolve } from 'node:path';
import type { GenerateOptions } from '../generate.ts';
import type { Choices, Target } from '../target.ts';
import { targets as all } from '../targets.ts';
import { ToolError } from '../tool-error.ts';
import type { ContractConfig } from './config.ts';
import { guardTarget } from './made-files.ts';
import { findConfig, readConfig } from './read.ts';

/** What is said on the command line. */
export interface Wishes extends Choices {
  /** Names of targets; none: those that the configuration names, or all that are made by default. */
  names: readonly string[];
  spec?: string | undefined;
  out?: string | undefined;
  strict?: boolean | undefined;
  /** The configuration; `false`: none. Left out: that of this folder, if it has one. */
  config?: string | false | undefined;
}

/** What is to be generated. */
export interface Runs {
  /** The configuration that says so. */
  config?: string;
  runs: GenerateOptions[];
}

/** The contract where nobody names one. */
const SPEC = 'openapi.yaml';

/**
 * What is to be generated, by the command line and by the configuration of the folder. A contract that the configuration does not name is
 * generated as without one.
 *
 * @throws ToolError where the two don't go together
 */
export async function readRuns(wishes: Wishes): Promise<Runs> {
  const config = wishes.config === false ? undefined : (wishes.config ?? findConfig('.'));
  if (config === undefined) return { runs: [makeRun(wishes)] };
  const { contracts } = await readConfig(config);
  const { spec: wanted } = wishes;
  const folder = dirname(config);
  const named = contracts.map((one, index) => ({ ...one, spec: join(folder, one.spec ?? SPEC), index }));
  const meant = wanted === undefined ? named : named.filter(({ spec }) => resolve(spec) === resolve(wanted));
  if (meant.length === 0 && wishes.config === undefined) return { runs: [makeRun(wishes)] };
  if (meant.length === 0) throw new ToolError(`${config} has no contract ${wanted}.`);
  const found = meant.map(({ index, ...one }) =>
    configureRun(one, wishes, { folder, place: `${config}: contracts[${index}]` }),
  );
  const runs = wishes.names.length === 0 ? found : chooseTargets(found, wishes.names, config);
  if (wishes.out !== undefined && runs.length > 1) {
    throw new ToolError(
      `--out is one folder, and ${config} says ${runs.length} times what to generate; name the targets of one of them, or leave --out out.`,
    );
  }
  refuseTwice(config, runs);
  return { config, runs };
}

function makeRun({ names, spec = SPEC, out, runtime, strict }: Wishes): GenerateOptions {
  const unknown = names.find((name) => !all.some((target) => target.name === name));
  if (unknown !== undefined) throw new ToolError(`there is no target "${unknown}"; ${listTargets()}`);
  const targets = names.length === 0 ? undefined : all.filter(({ name }) => names.includes(name));
  return { spec, out, targets, runtime, strict };
}

function configureRun(
  { spec = SPEC, ...one }: ContractConfig,
  { out, runtime, strict }: Wishes,
  { folder, place }: { folder: string; place: string },
): GenerateOptions {
  return {
    spec,
    out: out ?? (one.out === undefined ? undefined : join(folder, one.out)),
    targets: one.targets?.map((target, index) => findTarget(target, `${place}.targets[${index}]`)),
    runtime: runtime ?? one.runtime,
    strict: strict ?? one.strict,
    filter: { include: one.include, exclude: one.exclude },
    // The code of a target of somebody else may change unseen.
    remember: one.targets?.every((target) => typeof target === 'string'),
  };
}

/** The runs that have a target of these names, with those targets alone. */
function chooseTargets(runs: readonly GenerateOptions[], names: readonly string[], config: string): GenerateOptions[] {
  const known = new Set(runs.flatMap(({ targets = all }) => targets.map(({ name }) => name)));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new ToolError(`${config} has no target "${unknown}"; it has: ${[...known].join(', ')}.`);
  }
  const chosen = runs.map((run) => ({
    ...run,
    targets: (run.targets ?? all).filter(({ name }) => names.includes(name)),
  }));
  return chosen.filter(({ targets }) => targets.length > 0);
}

function findTarget(target: string | Target, place: string): Target {
  if (typeof target !== 'string') return guardTarget(target, place);
  const found = all.find(({ name }) => name === target);
  if (found === undefined) throw new ToolError(`${place}: there is no target "${target}"; ${listTargets()}`);
  return found;
}

function listTargets(): string {
  return `the targets are: ${all.map(({ name }) => name).join(', ')}`;
}

/** The files of one would be left over for the other. */
function refuseTwice(config: string, runs: readonly GenerateOptions[]): void {
  const seen = new Set<string>();
  for (const { spec, out = dirname(spec), targets = [] } of runs) {
    for (const { name } of targets) {
      const key = `${resolve(out)} ${name}`;
      if (seen.has(key)) {
        const where = relative('.', out) || 'this folder';
        throw new ToolError(`${config} has the target "${name}" twice in ${where}; give each "out" of its own.`);
      }
      seen.add(key);
    }
  }
}
