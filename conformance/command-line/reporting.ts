import { type ReportTarget, checkWritable, reportTargets, writeReports } from '../engine/report/index.ts';
import { isJudged } from '../engine/report/standing.ts';
import { terminalReport } from '../engine/report/terminal.ts';
import type { Report } from '../engine/result.ts';
import { withWaivers } from '../engine/waivers/apply.ts';
import { waiversOf } from '../engine/waivers/file.ts';
import { checkNames } from '../engine/waivers/known.ts';
import type { Waivable, Waiver } from '../engine/waivers/waiver.ts';

/** The options that decide what comes out of any run, as they were written. */
export interface GivenForReports {
  readonly report?: readonly string[];
  readonly waivers?: string;
  readonly only?: string;
}

/** What is to be made of a run. */
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
 * Looks at everything that a run's reports need before the run, so that no run is in vain.
 *
 * @param cases all that there are for such a target.
 * @throws CouldNotRun with a sentence for the user.
 */
export async function reportingFrom(given: GivenForReports, cases: readonly Waivable[]): Promise<Reporting> {
  const targets = reportTargets(given.report);
  const waivers = given.waivers === undefined ? undefined : waiversOf(given.waivers);
  checkNames(waivers ?? [], cases);
  await checkWritable(targets);
  const { only } = given;
  return { targets, cases, ...(waivers === undefined ? {} : { waivers }), ...(only === undefined ? {} : { only }) };
}

/**
 * Forgives what is known, shows the report, and writes it wherever it is wanted.
 *
 * @returns the exit code.
 * @throws CouldNotRun where a file can't be written after all.
 */
export async function reported(run: Report, { targets, cases, waivers, only }: Reporting): Promise<number> {
  const waived = waivers === undefined ? run : withWaivers(run, waivers, cases, new Date());
  // Who asks for a part may ask for one that is only looked at.
  const isFound = only !== undefined || isJudged(run);
  const part = only === undefined ? {} : { only };
  const report: Report = { ...waived, ...part, conforms: waived.conforms && isFound };
  await new Promise((resolve) => process.stdout.write(`${terminalReport(report)}\n`, resolve));
  await writeReports(report, targets);
  if (report.incomplete === true || !isFound) return COULD_NOT;
  return report.conforms ? CONFORMS : DOES_NOT;
}
