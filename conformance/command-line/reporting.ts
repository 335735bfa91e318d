import { type ReportTarget, checkWritable, reportTargets, writeReports } from '../engine/report/index.ts';
import { compareReports } from '../engine/report/comparison.ts';
import { type EarlierReport, readEarlierReport } from '../engine/report/earlier.ts';
import { isBrokenOff, isJudged } from '../engine/report/standing.ts';
import { terminalReport } from '../engine/report/terminal/report.ts';
import type { Report } from '../engine/result.ts';
import { ALWAYS_LIMITED } from '../engine/schedule/sender.ts';
import { applyWaivers } from '../engine/waivers/apply.ts';
import { type Baseline, readBaseline, waiveFailures, writeBaseline } from '../engine/waivers/baseline.ts';
import { readWaivers } from '../engine/waivers/file.ts';
import { checkWaiverNames } from '../engine/waivers/known.ts';
import type { Waivable, Waiver } from '../engine/waivers/waiver.ts';

/** The options of reports, as they were written. */
export interface GivenForReports {
  readonly report?: readonly string[];
  readonly har?: string;
  readonly waivers?: string;
  readonly verbose?: boolean;
  readonly compare?: string;
  readonly baseline?: string;
}

/** How a run is reported. */
export interface Reporting {
  readonly targets: readonly ReportTarget[];
  readonly cases: readonly Waivable[];
  /** Left out where no file of them was given. */
  readonly waivers?: readonly Waiver[];
  /** Left out where none was given. */
  readonly baseline?: Baseline;
  /** What the run is compared to. */
  readonly earlier?: EarlierReport;
  /** Shows everything at the terminal. */
  readonly isVerbose?: boolean;
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
  const targets = reportTargets([...(given.report ?? []), ...(given.har === undefined ? [] : [`har=${given.har}`])]);
  const waivers = given.waivers === undefined ? undefined : readWaivers(given.waivers);
  checkWaiverNames(waivers ?? [], cases);
  const earlier = given.compare === undefined ? undefined : readEarlierReport(given.compare, '--compare');
  const baseline = given.baseline === undefined ? undefined : await readBaseline(given.baseline, cases);
  await checkWritable(targets);
  const { verbose: isVerbose = false } = given;
  return {
    targets,
    cases,
    isVerbose,
    ...(waivers === undefined ? {} : { waivers }),
    ...(earlier === undefined ? {} : { earlier }),
    ...(baseline === undefined ? {} : { baseline }),
  };
}

/**
 * Applies the waivers, prints the report, and writes it to files.
 *
 * @returns the exit code.
 * @throws CouldNotRun where a file can't be written after all.
 */
export async function finishReport(run: Report, reporting: Reporting): Promise<number> {
  const { targets, earlier, baseline, isVerbose } = reporting;
  const waived = forgiveKnown(run, reporting);
  // A selection may hold nothing but observed cases.
  const isFound = run.selection !== undefined || isJudged(run);
  const comparison = earlier === undefined ? {} : { comparison: compareReports(earlier, run) };
  const report: Report = { ...waived, ...comparison, conforms: waived.conforms && isFound };
  await new Promise((resolve) => process.stdout.write(`${terminalReport(report, { isVerbose })}\n`, resolve));
  await writeReports(report, targets);
  if (baseline !== undefined && isKept(baseline, report)) writeBaseline(baseline.path, report);
  if (report.incomplete === true || isBrokenOff(report) || !isFound) return COULD_NOT;
  if (!report.conforms) return DOES_NOT;
  return hidesClauses(report) ? COULD_NOT : CONFORMS;
}

/** With the failures forgiven that waivers or a baseline name; a baseline that is not there yet names all that the waivers do not. */
function forgiveKnown(run: Report, { cases, waivers, baseline }: Reporting): Report {
  if (waivers === undefined && baseline === undefined) return run;
  const today = new Date();
  const forgive = (known: readonly Waiver[]): Report => applyWaivers(run, known, cases, today);
  const given = waivers ?? [];
  const known =
    baseline?.waivers ?? (baseline !== undefined && hasEnded(run) ? waiveFailures(forgive(given), today) : []);
  return forgive([...given, ...known]);
}

/** A run that did not come to its end says too little to begin a baseline. */
function isKept({ waivers }: Baseline, report: Report): boolean {
  return waivers !== undefined || hasEnded(report);
}

function hasEnded({ incomplete, stopped }: Report): boolean {
  return incomplete !== true && stopped !== true;
}

/** Whether the service itself keeps a clause from being tried: what it answers to the cases is never looked at. */
function hidesClauses({ coverage }: Report): boolean {
  return coverage.untried.some(({ reasons }) => reasons.includes(ALWAYS_LIMITED));
}
