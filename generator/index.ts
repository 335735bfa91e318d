/** What other workspaces may use of the generator. */
import type { CaseFile, Contract } from '@branchline/contract';
import type { RunningMock, StartOptions } from './mock/start.ts';

export { type Config, type ContractConfig, defineConfig, type Filter, type Selection } from './configuration/config.ts';
export { readRuns, type Runs, type Wishes } from './configuration/runs.ts';
export { diffChanges } from './drift.ts';
export { type GenerateOptions, type Plan, plan } from './generate.ts';
export { findMissingJavaTool } from './targets/kotlin/java-tools.ts';
export type { RunningMock, StartOptions } from './mock/start.ts';
export { apply, type Change } from './output.ts';
export { type Choices, generatedHeader, type GeneratedFile, type Standing, type Target } from './target.ts';
export { targets } from './targets.ts';
export { ToolError } from './tool-error.ts';

/**
 * Serves a contract by its examples. What serves it is loaded only here.
 *
 * @throws SpecError where the spec can't be used; Error where the port can't be listened on.
 */
export async function startMock(options: StartOptions): Promise<RunningMock> {
  const mock = await import('./mock/start.ts');
  return mock.startMock(options);
}

/** Derives the cases that test an implementation of a contract. What it takes is loaded only here. */
export async function deriveCases(contract: Contract): Promise<CaseFile> {
  const cases = await import('./targets/cases/case-file.ts');
  return cases.deriveCases(contract);
}
