import { buildReport } from '../engine/build-report.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import { runCase } from '../engine/run-case.ts';
import { createEnding, type Observer, observeRun } from '../engine/run.ts';
import { type ServiceCase, findUnmetNeed } from './case.ts';
import { ServiceContext } from './context.ts';
import type { SuiteOptions } from './options.ts';
import { preflight } from './preflight.ts';
import { allCases, selectCases } from './selection.ts';
import { Session } from './session.ts';

/** Cases under way at once. */
const CONCURRENCY = 8;

/**
 * Tries a service, and reports the result of each case.
 *
 * @throws CouldNotRun where the service can't be reached or refuses the first account.
 */
export async function runSuite(options: SuiteOptions, observer: Observer = {}): Promise<Report> {
  const ending = createEnding(observer.signal);
  const session = new Session(options, ending.ended);
  const selected = selectCases(options);
  const startedAt = new Date();
  await preflight(session);

  const numbers = new Map(allCases.map(({ id }, index) => [id, index + 1]));
  const run = (one: ServiceCase): Promise<CaseResult> =>
    runCase(
      withNeeds(one),
      new ServiceContext(session, { who: String(numbers.get(one.id)), level: one.level }),
      session.redactor,
    );
  const observed = await observeRun(selected, observer, { run, concurrency: CONCURRENCY, ...ending });
  return buildReport({
    ...observed,
    startedAt,
    target: { baseUrl: options.baseUrl, workspace: options.workspace, accounts: options.accounts.length },
    requests: session.sender.requests,
    seed: session.chance.seed,
    profile: options.profile === true,
    selected,
    selection: options.selection,
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
