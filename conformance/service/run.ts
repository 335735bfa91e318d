import { buildReport } from '../engine/build-report.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import { runCase } from '../engine/run-case.ts';
import { runCases } from '../engine/run.ts';
import { type ServiceCase, findUnmetNeed } from './case.ts';
import { ServiceContext } from './context.ts';
import type { SuiteOptions } from './options.ts';
import { preflight } from './preflight.ts';
import { allCases, selectCases } from './selection.ts';
import { Session } from './session.ts';

/** Watches a run. */
export interface Observer {
  /** Called as each result comes, not in the order of the report. */
  onResult?: (result: CaseResult, done: number, total: number) => void;
  /** Ends the run where it is; what is under way then is not waited for. */
  signal?: AbortSignal;
  /** Whether a result ends the run, as the last one. */
  isLast?: (result: CaseResult) => boolean;
}

/** Cases under way at once. */
const CONCURRENCY = 8;

/**
 * Tries a service, and reports the result of each case.
 *
 * @throws CouldNotRun where the service can't be reached or refuses the first account.
 */
export async function runSuite(options: SuiteOptions, { onResult, signal, isLast }: Observer = {}): Promise<Report> {
  const startedAt = new Date();
  const stop = new AbortController();
  const ended = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  const session = new Session(options, ended);
  const selected = selectCases(options);
  await preflight(session);

  const numbers = new Map(allCases.map(({ id }, index) => [id, index + 1]));
  const results = new Map<string, CaseResult>();
  const run = async (one: ServiceCase): Promise<CaseResult> => {
    const result = await runCase(
      withNeeds(one),
      new ServiceContext(session, { who: String(numbers.get(one.id)), level: one.level }),
      session.redactor,
    );
    if (ended.aborted) return result;
    results.set(result.id, result);
    onResult?.(result, results.size, selected.length);
    if (isLast?.(result) === true) stop.abort();
    return result;
  };
  await Array.fromAsync(runCases(selected, { run, concurrency: CONCURRENCY, signal: ended }));
  const isWhole = results.size === selected.length;
  return buildReport({
    target: { baseUrl: options.baseUrl, workspace: options.workspace, accounts: options.accounts.length },
    startedAt,
    requests: session.sender.requests,
    seed: session.chance.seed,
    profile: options.profile === true,
    selected,
    selection: options.selection,
    results: selected.flatMap(({ id }) => results.get(id) ?? []),
    isIncomplete: !isWhole && !stop.signal.aborted,
    isStopped: !isWhole && stop.signal.aborted,
  });
}

/** Skips a case that needs what the run was not given. */
function withNeeds(one: ServiceCase): ServiceCase {
  return {
    ...one,
    run: async (context) => {
      const unmet = findUnmetNeed(one, context.session.options);
      return unmet === undefined ? one.run(context) : context.skip(unmet);
    },
  };
}
