import { formatCaseCount } from '../engine/report/standing.ts';
import { runSuite } from '../service/run.ts';
import { allCases, estimateSeconds, selectCases } from '../service/selection.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { explainClause } from './explain.ts';
import { type Given, suiteOptions } from './options.ts';
import { formatDuration } from './progress.ts';
import { NOTHING_LEFT, selectionFrom } from './selection.ts';
import { listCases, print, superviseRun } from './supervise-run.ts';

/**
 * What `branchline conformance` does.
 *
 * @returns the exit code.
 * @throws CouldNotRun with a sentence for the user.
 */
export async function conformance(given: Given): Promise<number> {
  if (given.explain !== undefined) return print(explainClause(given.explain));
  const selection = selectionFrom(given, allCases);
  const selected = selectCases({ selection, profile: given.profile !== undefined });
  if (given.list === true) return print(listCases(selected));
  if (selected.length === 0) throw new CouldNotRun(NOTHING_LEFT);

  const options = suiteOptions(given, selection);
  const seconds = estimateSeconds(selected, options.rate ?? Infinity);
  return superviseRun(given, {
    cases: allCases,
    plan: plan(selected.length, options.rate, seconds),
    profile: options.profile === true,
    run: (observer) => runSuite(options, observer),
  });
}

function plan(count: number, rate: number | undefined, seconds: number): string {
  const cases = formatCaseCount(count);
  if (rate === undefined) return `${cases}, as fast as the service answers.`;
  const requests = rate === 1 ? '1 request' : `${rate} requests`;
  return `${cases} at ${requests} per second for each account and operation: about ${formatDuration(seconds)}.`;
}
