import { existsSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { CouldNotRun } from '../../could-not-run.ts';
import { checkFileWritable } from '../report/check-writable.ts';
import { classifyResult } from '../report/standing.ts';
import type { Report } from '../result.ts';
import { readWaivers } from './file.ts';
import { type Waivable, type Waiver, isAbout } from './waiver.ts';

/** A file of waivers that the tool keeps itself. */
export interface Baseline {
  readonly path: string;
  /** Left out where the file is not there yet: this run writes it. */
  readonly waivers?: readonly Waiver[];
}

/**
 * Reads a baseline, if it is there, and makes sure that it can be written. What names nothing that there is any more is left out.
 *
 * @param cases - all that there are for such a target.
 * @throws CouldNotRun with a sentence for the user.
 */
export async function readBaseline(path: string, cases: readonly Waivable[]): Promise<Baseline> {
  const waivers = existsSync(path) ? readWaivers(path, '--baseline') : undefined;
  await checkFileWritable(path).catch((error: NodeJS.ErrnoException) => refuse(path, error));
  if (waivers === undefined) return { path };
  const known = waivers.filter((waiver) => cases.some((one) => isAbout(waiver, one)));
  return { path, waivers: known.map((waiver) => ({ ...waiver, baseline: true })) };
}

/** A waiver of each failure that counts. */
export function waiveFailures(report: Report, today: Date): Waiver[] {
  const reason = `It failed on ${today.toISOString().slice(0, 10)}, when the baseline was written.`;
  const failures = report.results.filter((result) => classifyResult(result, report) === 'failed');
  return failures.map(({ id }) => ({ case: id, reason, baseline: true }));
}

/**
 * Writes what the run leaves of a baseline: a waiver that is not needed any more is gone.
 *
 * @throws CouldNotRun where the file can't be written after all.
 */
export function writeBaseline(path: string, { waivers = [] }: Report): void {
  const kept = waivers.filter(({ baseline, state }) => baseline === true && state !== 'pruned');
  const text = stringify({ waivers: kept.map(toEntry) });
  try {
    writeFileSync(path, `${HEAD}${text}`);
  } catch (error) {
    refuse(path, error as NodeJS.ErrnoException);
  }
}

/** What stands in a file. */
function toEntry({ case: id, clause, reason, until, link }: Waiver): object {
  return { case: id, clause, reason, until, link };
}

const HEAD =
  '# Known failures. A run with --baseline removes what passes; it adds nothing, unless the file is not there.\n';

function refuse(path: string, { code }: NodeJS.ErrnoException): never {
  throw new CouldNotRun(`--baseline: the file ${path} can't be written (${code}).`);
}
