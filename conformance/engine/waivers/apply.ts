import type { CaseResult, Report, WaiverResult, WaiverState } from '../result.ts';
import { conforms } from '../verdict.ts';
import { type Waivable, type Waiver, isAbout } from './waiver.ts';

/**
 * The report with its known failures forgiven. A waiver of what does not fail keeps it from conforming.
 *
 * @param cases all that there are, whether or not the run tried them.
 */
export function applyWaivers(
  report: Report,
  waivers: readonly Waiver[],
  cases: readonly Waivable[],
  today: Date,
): Report {
  const valid = waivers.filter((waiver) => !isExpired(waiver, today));
  const results = report.results.map((result) => forgive(result, valid));
  const outcomes = waivers.map((waiver): WaiverResult => ({
    ...waiver,
    state: valid.includes(waiver) ? findState(waiver, report.results, cases) : 'expired',
  }));
  const isStale = outcomes.some(({ state }) => state === 'stale');
  const isEnded = report.incomplete !== true && report.stopped !== true;
  const isConforming = isEnded && !isStale && conforms(results, report.profile);
  return { ...report, results, waivers: outcomes, conforms: isConforming };
}

/** The result, forgiven if a waiver that still counts is about it. */
export function forgiveFailure(result: CaseResult, waivers: readonly Waiver[], today: Date): CaseResult {
  return forgive(
    result,
    waivers.filter((waiver) => !isExpired(waiver, today)),
  );
}

/** A waiver of the case itself says more than one of its clauses. */
function forgive(result: CaseResult, waivers: readonly Waiver[]): CaseResult {
  if (result.state !== 'fail') return result;
  const mine = waivers.filter((waiver) => isAbout(waiver, result));
  const waiver = mine.find(({ clause }) => clause === undefined) ?? mine[0];
  return waiver === undefined ? result : { ...result, waived: waiver.reason };
}

/** That nothing fails is known only when everything was tried. */
function findState(waiver: Waiver, results: readonly CaseResult[], cases: readonly Waivable[]): WaiverState {
  const states = cases
    .filter((one) => isAbout(waiver, one))
    .map(({ id }) => results.find((result) => result.id === id)?.state);
  if (states.includes('fail')) return 'used';
  if (!states.every((state) => state === 'pass')) return 'unused';
  return waiver.baseline === true ? 'pruned' : 'stale';
}

function isExpired({ until }: Waiver, today: Date): boolean {
  return until !== undefined && until < today.toISOString().slice(0, 10);
}
