import { type ReportTarget, checkWritable, reportTargets, writeReports } from '../engine/report/index.ts';
import { isJudged } from '../engine/report/standing.ts';
import { terminalReport } from '../engine/report/terminal.ts';
import type { Report } from '../engine/result.ts';
import { ALWAYS_LIMITED } from '../engine/schedule/sender.ts';
import { applyWaivers } from '../engine/waivers/apply.ts';
import { readWaivers } from '../engine/waivers/file.ts';
import { checkWaiverNames } from '../engine/waivers/known.ts';
import type { Waivable, Waiver } from '../engine/waivers/waiver.ts';

/** The options of reports, as they were written. */
export interface GivenForReports {
  readonly report?: readonly string[];
  readonly waivers?: string;
  readonly only?: string;
}

/** How a run is reported. */
export interface Reporting {
  readonly targets: readonly ReportTarget[];
  readonly cases: readonly Waivable[];
  /** Left out where no file of them was given. */
  readonly waivers?: readonly Waiver[];
  /** What chose the cases. Left out where all were tried. */
  readonly only?: string;
}

const CONFORMS = 0;
const DOES_NOT = 1;
const COULD_NOT = 2;

/**
 * Checks everything that the reports need before the run starts.
 *
 * @param cases all that there are for such a target.
 * @throws CouldNotRun with a sentence for the user.
 */
export async function prepareReporting(given: GivenForReports, cases: readonly Waivable[]): Promise<Reporting> {
  const targets = reportTargets(given.report);
  const waivers = given.waivers === undefined ? undefined : readWaivers(given.waivers);
  checkWaiverNames(waivers ?? [], cases);
  await checkWritable(targets);
  const { only } = given;
  return { targets, cases, ...(waivers === undefined ? {} : { waivers }), ...(only === undefined ? {} : { only }) };
}

/**
 * Applies the waivers, prints the report, and writes it to files.
 *
 * @returns the exit code.
 * @throws CouldNotRun where a file can't be written after all.
 */
export async function finishReport(run: Report, { targets, cases, waivers, only }: Reporting): Promise<number> {
  const waived = waivers === undefined ? run : applyWaivers(run, waivers, cases, new Date());
  // With --only, a run may hold nothing but observed cases.
  const isFound = only !== undefined || isJudged(run);
  const part = only === undefined ? {} : { only };
  const report: Report = { ...waived, ...part, conforms: waived.conforms && isFound };
  await new Promise((resolve) => process.stdout.write(`${terminalReport(report)}\n`, resolve));
  await writeReports(report, targets);
  if (report.incomplete === true || !isFound) return COULD_NOT;
  if (!report.conforms) return DOES_NOT;
  return hidesClauses(report) ? COULD_NOT : CONFORMS;
}

/** Whether the service itself keeps a clause from being tried: what it answers to the cases is never looked at. */
function hidesClauses({ coverage }: Report): boolean {
  return coverage.untried.some(({ reasons }) => reasons.includes(ALWAYS_LIMITED));
}
