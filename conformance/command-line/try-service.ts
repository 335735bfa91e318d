import { formatCaseCount } from '../engine/report/standing.ts';
import type { CaseResult } from '../engine/result.ts';
import { conforms } from '../engine/verdict.ts';
import { forgiveFailure } from '../engine/waivers/apply.ts';
import { runSuite } from '../service/run.ts';
import { allCases, estimateSeconds, selectCases } from '../service/selection.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { explainClause } from './explain.ts';
import { type Given, suiteOptions } from './options.ts';
import { formatDuration, showProgress } from './progress.ts';
import { type Reporting, finishReport, prepareReporting } from './reporting.ts';
import { NOTHING_LEFT, selectionFrom } from './selection.ts';

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
  if (given.list === true)
    return print(selected.map(({ id, level, title }) => `${level.padEnd(8)}  ${id}  ${title}`).join('\n'));
  if (selected.length === 0) throw new CouldNotRun(NOTHING_LEFT);

  const options = suiteOptions(given, selection);
  const reporting = await prepareReporting(given, allCases);
  process.stderr.write(`${plan(selected.length, options.rate, estimateSeconds(selected, options.rate ?? Infinity))}\n`);
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  const report = await runSuite(options, {
    onResult: showProgress(process.stderr),
    signal: interrupted.signal,
    isLast: (result) => given.failFast === true && failsRun(result, reporting, options.profile === true),
  });
  const exitCode = await finishReport(report, reporting);
  // Requests that are under way would hold the process up.
  if (report.incomplete === true || report.stopped === true) process.exit(exitCode);
  return exitCode;
}

/** Whether a failure counts, and is not known. */
function failsRun(result: CaseResult, { waivers = [], baseline }: Reporting, profile: boolean): boolean {
  const known = [...waivers, ...(baseline?.waivers ?? [])];
  return !conforms([forgiveFailure(result, known, new Date())], profile);
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function plan(count: number, rate: number | undefined, seconds: number): string {
  const cases = formatCaseCount(count);
  if (rate === undefined) return `${cases}, as fast as the service answers.`;
  const requests = rate === 1 ? '1 request' : `${rate} requests`;
  return `${cases} at ${requests} per second for each account and operation: about ${formatDuration(seconds)}.`;
}
