import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { CaseResult, Comparison, Coverage, Level, Report } from '../../result.ts';
import { waiverSentence } from '../../waivers/sentence.ts';
import { groupByCause } from '../causes.ts';
import { describeChanges, describeComparison } from '../comparison.ts';
import { VERDICT_WORDS, tabulateClauses } from '../clause-table.ts';
import {
  LEVELS,
  classifyResult,
  countLine,
  countUntried,
  describeVerdict,
  formatCaseCount,
  groupWarnings,
  listUntried,
} from '../standing.ts';
import { summarizeCauses, tellCauses, tellNotes } from './failures.ts';
import { type Paint, indent, limit, listSome, printable, truncate } from './lines.ts';
import { MARKS } from './marks.ts';

const COLUMNS = [34, 80];
const CLAUSE_COLUMNS = [26, 42, 10, 7, 12];
const WITHOUT_LINES = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };
/** In a summary so many lines of a kind. */
const SOME = 4;

export interface TerminalOptions {
  /** Everything, however long. Left out: what fails the run is grouped by its cause, and fits two screens. */
  readonly isVerbose?: boolean | undefined;
  /** It decides on colour: only a terminal has it, and none with `NO_COLOR`. */
  readonly stream?: NodeJS.WriteStream;
}

/** A report for people at a terminal: what fails the run, by cause; level by level the rest; the counts and the verdict. */
export function terminalReport(
  report: Report,
  { isVerbose = false, stream = process.stdout }: TerminalOptions = {},
): string {
  const paint: Paint = (format, text) => styleText(format, printable(text), { stream });
  const causes = groupByCause(report).filter(({ standing }) => standing === 'failed' || standing === 'error');
  const isBrief = causes.length > 0 && !isVerbose;
  const verdict = paint(['bold', report.conforms ? 'green' : 'red'], describeVerdict(report));
  return [
    ...(isBrief ? summarizeCauses(causes, paint) : tellCauses(causes, paint)),
    ...tellNotes(causes),
    ...LEVELS.flatMap((level) => levelLines(level, report, paint, isBrief)),
    ...warningLines(report, paint, isVerbose),
    ...waiverLines(report, paint, isBrief),
    ...comparisonLines(report.comparison, paint, isBrief),
    ...untriedLines(report.coverage, paint, isBrief),
    ...(isVerbose && report.coverage.of === undefined ? clauseLines(report) : []),
    ...(isBrief ? ['--verbose shows each failure in full, each clause, and what was observed.', ''] : []),
    ...LEVELS.filter((level) => report.coverage.of === undefined || level === 'required').map(
      (level) => `${level.padEnd(8)}  ${countLine(level, report)}`,
    ),
    '',
    verdict,
  ].join('\n');
}

function levelLines(level: Level, report: Report, paint: Paint, isBrief: boolean): string[] {
  const results = report.results.filter((result) => result.level === level);
  const some = (lines: string[]): string[] => (isBrief ? limit(lines, SOME) : lines);
  const lines = [
    ...some(results.flatMap((result) => forgivenLine(result, report, paint))),
    ...some(leftOutLines(results)),
    ...(isBrief ? [] : seenLines(results)),
  ];
  return lines.length === 0 ? [] : [paint('bold', level), '', ...lines, ''];
}

/** A failure that does not count. */
function forgivenLine(result: CaseResult, report: Report, paint: Paint): string[] {
  const standing = classifyResult(result, report);
  const head = `${MARKS[standing]} ${result.id}: ${result.title}`;
  if (standing === 'not-demanded') return indent([`${head} (not demanded)`]);
  if (standing === 'waived') return [paint('yellow', `  ${head}`), ...indent([`  Waived: ${result.waived}`])];
  return [];
}

function leftOutLines(results: readonly CaseResult[]): string[] {
  const leftOut = results.filter(({ state }) => state === 'skip' || state === 'not-observed');
  const reasons = Map.groupBy(leftOut, ({ reason = '' }) => reason);
  return indent([...reasons].map(([reason, some]) => `${MARKS.skipped} ${some.length} × ${reason}`));
}

function seenLines(results: readonly CaseResult[]): string[] {
  const seen = results.filter(({ saw }) => saw !== undefined);
  if (seen.length === 0) return [];
  const table = new Table({
    head: ['observed', 'seen'],
    style: { head: [], border: [] },
    colWidths: COLUMNS,
    chars: WITHOUT_LINES,
    wordWrap: true,
  });
  for (const { id, saw = '' } of seen) table.push([id, printable(truncate(saw))]);
  return ['', table.toString()];
}

/** What the contract leaves open and its author will want to know. */
function warningLines(report: Report, paint: Paint, isVerbose: boolean): string[] {
  const lines = groupWarnings(report).flatMap(({ warning, cases }) => {
    const some = isVerbose ? cases.join(', ') : cases[0];
    return indent([
      `! ${warning}`,
      `    ${formatCaseCount(cases.length)}${cases.length === 1 ? '' : ', such as'} ${some}`,
    ]);
  });
  if (lines.length === 0) return [];
  return [paint('bold', 'warnings'), '', ...(isVerbose ? lines : limit(lines, 4 * SOME)), ''];
}

/** Every clause, how many cases tried it, and what they come to. */
function clauseLines(report: Report): string[] {
  const table = new Table({
    head: ['clause', 'sentence', 'level', 'cases', 'verdict'],
    style: { head: [], border: [] },
    colWidths: CLAUSE_COLUMNS,
    chars: WITHOUT_LINES,
    wordWrap: true,
    wrapOnWordBoundary: false,
  });
  for (const { id, clause, level, cases, verdict } of tabulateClauses(report))
    table.push([id, clause?.sentence ?? '', level, String(cases), VERDICT_WORDS[verdict]]);
  return [table.toString(), ''];
}

function waiverLines({ waivers = [] }: Report, paint: Paint, isBrief: boolean): string[] {
  const lines = waivers.map((waiver) => paint(waiver.state === 'stale' ? 'red' : 'yellow', waiverSentence(waiver)));
  return lines.length === 0 ? [] : [...(isBrief ? limit(lines, SOME) : lines), ''];
}

function comparisonLines(comparison: Comparison | undefined, paint: Paint, isBrief: boolean): string[] {
  if (comparison === undefined) return [];
  const changes = describeChanges(comparison).map(
    ({ words, cases }) => `${cases.length} ${words}: ${isBrief ? listSome(cases, SOME) : cases.join(', ')}`,
  );
  const lines = changes.length === 0 ? ['Nothing failed then or now.'] : changes;
  return [paint('bold', describeComparison(comparison)), '', ...lines.map((line) => `  ${printable(line)}`), ''];
}

function untriedLines(coverage: Coverage, paint: Paint, isBrief: boolean): string[] {
  const lines = listUntried(coverage).flatMap(({ reason, clauses }) => indent([reason, `  ${clauses.join(', ')}`]));
  if (lines.length === 0) return [];
  return [paint('bold', countUntried(coverage)), '', ...(isBrief ? limit(lines, 2 * SOME) : lines), ''];
}
