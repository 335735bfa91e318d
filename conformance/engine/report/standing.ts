import type { CaseResult, Coverage, Level, Report } from '../result.ts';
import { describeSelection } from '../selection.ts';
import { isDemanded } from '../verdict.ts';

/** What a result means for the verdict, by its state, level and waiver. */
export type Standing = 'passed' | 'failed' | 'error' | 'waived' | 'not-demanded' | 'skipped' | 'seen' | 'not-seen';

export const LEVELS: readonly Level[] = ['required', 'profile', 'observed'];

/** The most important first. */
export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  failed: 'failed',
  error: 'ended by a fault of the test',
  'not-demanded': 'failed, but not demanded',
  waived: 'failed, and waived',
  skipped: 'skipped',
  passed: 'passed',
  seen: 'seen',
  'not-seen': 'could not be seen',
};

export function classifyResult({ level, state, waived }: CaseResult, { profile }: Pick<Report, 'profile'>): Standing {
  if (state === 'error') return 'error';
  if (state === 'skip') return 'skipped';
  if (state === 'not-observed') return 'not-seen';
  if (state === 'pass') return level === 'observed' ? 'seen' : 'passed';
  if (waived !== undefined) return 'waived';
  return isDemanded(level, profile) ? 'failed' : 'not-demanded';
}

/** `1 case`, `2 cases`. */
export function formatCaseCount(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** The results of a level, counted, in words. */
export function countLine(level: Level, report: Report): string {
  const standings = report.results.filter((result) => result.level === level).map((one) => classifyResult(one, report));
  const counts = Object.entries(STANDING_WORDS).map(([standing, words]) => ({
    count: standings.filter((one) => one === standing).length,
    words,
  }));
  const lines = counts.filter(({ count }) => count > 0).map(({ count, words }) => `${count} ${words}`);
  return lines.join('; ') || 'nothing';
}

/** The verdict as a sentence. */
export function describeVerdict(report: Report): string {
  const { target, conforms, incomplete, stopped, profile, selection, coverage } = report;
  if (incomplete === true) return `The run was interrupted, and shows nothing of whether ${target.baseUrl} conforms.`;
  if (isBrokenOff(report))
    return `Not all cases came to an end, so nothing shows whether ${target.baseUrl} conforms; the report says why.`;
  if (!conforms && !isJudged(report))
    return `Nothing could be judged, so nothing shows whether ${target.baseUrl} conforms.`;
  if (!conforms)
    return `${target.baseUrl} does not conform${stopped === true ? '; the run ended at its first failure' : ''}.`;
  const toWhat = profile ? ', to the profile too' : '';
  const butFor = hasWaived(report) ? ', but for what is waived' : '';
  const where = selection === undefined ? '' : ` in the cases ${describeSelection(selection)}, which are not all`;
  const isWhole = coverage.untried.length === 0;
  const ofWhat = isWhole ? '' : ' in what was tried';
  const untried = isWhole ? '' : `; ${countUntried(coverage)}`;
  return `${target.baseUrl} conforms${ofWhat}${where}${toWhat}${butFor}${untried}.`;
}

/** `5 of 61 clauses untried`. */
export function countUntried({ untried, demanded, of }: Coverage): string {
  return `${untried.length} of ${demanded} ${of ?? 'clauses'} untried`;
}

/** The clauses that were not tried by the reason, with what to give to try them. */
export function listUntried({ untried }: Coverage): { reason: string; clauses: string[] }[] {
  const pairs = untried.flatMap(({ clause, reasons }) => reasons.map((reason) => ({ reason, clause })));
  const byReason = Map.groupBy(pairs, ({ reason }) => reason);
  return [...byReason].map(([reason, some]) => ({ reason, clauses: some.map(({ clause }) => clause) }));
}

/** Whether nothing that counts failed, and yet not all that counts came to an end, for a fault that is not the target's. */
export function isBrokenOff({ results, profile }: Pick<Report, 'results' | 'profile'>): boolean {
  const counted = results.filter(({ level, waived }) => isDemanded(level, profile) && waived === undefined);
  return counted.some(({ state }) => state === 'error') && !counted.some(({ state }) => state === 'fail');
}

/** Whether any case was tried that can be judged. */
export function isJudged({ results }: Pick<Report, 'results'>): boolean {
  return results.some(({ level, state }) => level !== 'observed' && state !== 'skip');
}

/** Whether the verdict depends on waivers. */
export function hasWaived(report: Report): boolean {
  const demanded = report.results.filter(({ level }) => isDemanded(level, report.profile));
  return demanded.some(({ waived }) => waived !== undefined);
}

/** Each warning with the cases that give it: the most frequent first. */
export function groupWarnings({ results }: Pick<Report, 'results'>): { warning: string; cases: string[] }[] {
  const pairs = results.flatMap(({ id, warnings = [] }) => warnings.map((warning) => ({ warning, id })));
  const groups = [...Map.groupBy(pairs, ({ warning }) => warning)];
  return groups
    .map(([warning, some]) => ({ warning, cases: some.map(({ id }) => id) }))
    .toSorted((a, b) => b.cases.length - a.cases.length);
}
