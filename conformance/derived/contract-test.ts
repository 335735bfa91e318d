import type { CaseFile, Contract } from '@branchline/contract';
import { CouldNotRun } from '../could-not-run.ts';
import { buildReport } from '../engine/build-report.ts';
import type { ConformanceCase } from '../engine/case.ts';
import { CaseContext } from '../engine/case-context.ts';
import { measureCoverage } from '../engine/coverage.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import { runCase } from '../engine/run-case.ts';
import { createEnding, type Observer, observeRun } from '../engine/run.ts';
import { isSelected, type Selection } from '../engine/selection.ts';
import { listUnmade, toConformanceCases } from './cases.ts';
import type { RunOptions, Target } from './options.ts';
import { ContractSession } from './session.ts';
import { makeScenarios } from './stateful/scenarios.ts';
import { TOOL } from './tool.ts';

const MAX_EXAMPLES = 30;

/** A contract with the cases that were derived from it. */
export interface DerivedContract {
  readonly contract: Contract;
  readonly cases: CaseFile;
}

export interface ContractTestOptions extends Omit<RunOptions, 'signal'> {
  /** Random requests of each search, as long as nothing is found; 0 for none. Defaults to 30. */
  readonly maxExamples?: number;
}

/** A contract test, ready to run. */
export interface ContractTest {
  readonly cases: readonly ConformanceCase[];
  /** @throws CouldNotRun where nothing listens at the address. Whatever a server does is a result. */
  run(selection?: Selection, observer?: Observer): Promise<Report>;
}

/** Prepares the test of a server by a contract: derived cases, scenarios over several requests, and searches at random. */
export async function prepareContractTest(
  { contract, cases: file }: DerivedContract,
  target: Target,
  { maxExamples = MAX_EXAMPLES, ...options }: ContractTestOptions = {},
): Promise<ContractTest> {
  const stop = new AbortController();
  const session = new ContractSession(file, contract.document, target, options, stop.signal);
  const cases = [
    ...toConformanceCases(session),
    ...listUnmade(session),
    ...makeScenarios(session),
    // Loads fast-check, which nothing else needs.
    ...(maxExamples === 0 ? [] : (await import('./search/search.ts')).makeSearches(session, maxExamples)),
  ];

  const run = async (selection?: Selection, observer: Observer = {}): Promise<Report> => {
    const selected = cases.filter((one) => isSelected(one, selection ?? {}));
    const startedAt = new Date();
    await demandConnection(session);
    const ending = createEnding(observer.signal);
    ending.ended.addEventListener('abort', () => stop.abort(), { once: true });
    const runOne = (one: ConformanceCase): Promise<CaseResult> =>
      runCase(one, new CaseContext(session.sender), session.redactor);
    const observed = await observeRun(selected, observer, {
      run: runOne,
      concurrency: session.concurrency,
      ...ending,
    });
    session.close();
    return buildReport({
      ...observed,
      startedAt,
      made: {
        tool: TOOL,
        contract: { sha256: contract.sha256, source: contract.source },
      },
      target: { baseUrl: target.baseUrl },
      requests: session.sender.requests,
      seed: session.chance.seed,
      profile: false,
      selected,
      selection,
      coverage: { ...measureCoverage(selected.map(toCovered(session)), observed.results, false), of: 'operations' },
    });
  };
  return { cases, run };
}

/** Whatever is answered: something has to be there. */
async function demandConnection({ sender, redactor }: ContractSession): Promise<void> {
  const { outcome } = await sender.send({ path: '/', lane: 'any connection', impatient: true });
  if (outcome.unreachable === true) throw new CouldNotRun(redactor.clean(`${outcome.problem} Is --base-url right?`));
}

/**
 * A case about the operation that its id begins with. What a server refuses shows nothing of what an operation does, and what it makes
 * of random values nothing that anybody relies on: only other cases try it.
 */
function toCovered(
  session: ContractSession,
): (one: ConformanceCase) => Pick<ConformanceCase, 'id' | 'clauses' | 'level'> {
  const refused = new Set(session.file.cases.flatMap(({ id, mistake }) => (mistake === undefined ? [] : [id])));
  return ({ id, level }) => {
    const [operationId = '', kind] = id.split('/');
    return { id, level, clauses: refused.has(id) || kind === 'search' ? [] : [operationId] };
  };
}
