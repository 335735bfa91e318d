import type { ConformanceCase } from '../engine/case.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import type { Observer } from '../engine/run.ts';
import { conforms } from '../engine/verdict.ts';
import { forgiveFailure } from '../engine/waivers/apply.ts';
import type { Waivable } from '../engine/waivers/waiver.ts';
import { showProgress } from './progress.ts';
import { type GivenForReports, type Reporting, finishReport, prepareReporting } from './reporting.ts';

/** A run that the command line watches. */
export interface SupervisedRun {
  /** All that there are for such a target. */
  readonly cases: readonly Waivable[];
  /** What is about to happen, as a line. */
  readonly plan: string;
  /** Whether the decisions of this project are demanded too. */
  readonly profile: boolean;
  readonly run: (observer: Observer) => Promise<Report>;
}

/**
 * Runs cases with their progress shown, until they end, one of them fails that may not, or the user interrupts them; and reports.
 *
 * @returns the exit code.
 * @throws CouldNotRun with a sentence for the user.
 */
export async function superviseRun(
  given: GivenForReports & { readonly failFast?: boolean },
  { cases, plan, profile, run }: SupervisedRun,
): Promise<number> {
  const reporting = await prepareReporting(given, cases);
  process.stderr.write(`${plan}\n`);
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  const report = await run({
    onResult: showProgress(process.stderr),
    signal: interrupted.signal,
    isLast: (result) => given.failFast === true && failsRun(result, reporting, profile),
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

/** A line for each case. */
export function listCases(cases: readonly Pick<ConformanceCase, 'id' | 'level' | 'title'>[]): string {
  return cases.map(({ id, level, title }) => `${level.padEnd(8)}  ${id}  ${title}`).join('\n');
}

/** @returns the exit code. */
export function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
