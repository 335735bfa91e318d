import type { CaseResult, CaseState, Comparison, Report } from '../result.ts';
import { type EarlierReport, isFailed } from './earlier.ts';

/**
 * What changed since an earlier run: cases that failed then and pass now, that passed then and fail now, and that fail now and
 * were not tried then. By their ids, in order.
 */
export function compareReports(earlier: EarlierReport, { results }: Pick<Report, 'results'>): Comparison {
  const states = new Map(earlier.results.map(({ id, state }) => [id, state]));
  const list = (isMeant: (now: CaseResult, then: CaseState | undefined) => boolean): string[] =>
    results.filter((now) => isMeant(now, states.get(now.id))).map(({ id }) => id);
  return {
    ...(earlier.startedAt === undefined ? {} : { startedAt: earlier.startedAt }),
    fixed: list(({ state }, then) => isFailed(then) && state === 'pass'),
    broken: list(({ state }, then) => then === 'pass' && isFailed(state)),
    new: list(({ state }, then) => then !== 'pass' && !isFailed(then) && isFailed(state)),
    still: list(({ state }, then) => isFailed(then) && isFailed(state)),
  };
}

/** What changed, in words, with the cases. */
export function describeChanges(comparison: Comparison): { words: string; cases: readonly string[] }[] {
  const changes = [
    { words: 'broken since', cases: comparison.broken },
    { words: 'new failures', cases: comparison.new },
    { words: 'fixed since', cases: comparison.fixed },
    { words: 'still failing', cases: comparison.still },
  ];
  return changes.filter(({ cases }) => cases.length > 0);
}

/** Which report this one is compared to. */
export function describeComparison({ startedAt }: Comparison): string {
  return `Compared to ${startedAt === undefined ? 'the earlier report' : `the report of ${startedAt}`}`;
}
