/** What other workspaces may use of the suite. What takes long to load is loaded when it is called. */
import type { CaseFile, ContractDocument } from '@branchline/contract';
import type { CaseResult, Report } from './engine/result.ts';
import type { RunOptions, Target } from './derived/options.ts';
import type { SuiteOptions } from './service/options.ts';
import type { Observer } from './engine/run.ts';

export { conformanceCommand } from './command-line/conformance.ts';
export { contractTestCommand, type Derive } from './command-line/contract-test.ts';
export { CouldNotRun } from './could-not-run.ts';
export type { CaseResult, Report } from './engine/result.ts';
export type { RunOptions, Target } from './derived/options.ts';
export type { SuiteOptions } from './service/options.ts';
export type { Observer } from './engine/run.ts';

/**
 * Tries a service of the Branch Management HTTP API, and reports the result of each case.
 *
 * @throws CouldNotRun where the service can't be reached or refuses the first account.
 */
export async function runSuite(options: SuiteOptions, observer?: Observer): Promise<Report> {
  const suite = await import('./service/run.ts');
  return suite.runSuite(options, observer);
}

/**
 * Runs the cases that `branchline generate contract` derives from any contract against a server, and yields the result of
 * each, in order.
 *
 * @param document the OpenAPI document that the cases were derived from; every answer is checked against it too.
 * @throws never for what the server does: that is a result.
 */
export async function* runCases(
  cases: CaseFile,
  document: ContractDocument,
  target: Target,
  options?: RunOptions,
): AsyncGenerator<CaseResult, void, undefined> {
  const derived = await import('./derived/run.ts');
  yield* derived.runDerivedCases(cases, document, target, options);
}
