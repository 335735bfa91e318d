import { styleText } from 'node:util';
import Table from 'cli-table3';
import { clausesById } from '../../clauses.ts';
import type { CaseResult, Exchange, Level, Report } from '../result.ts';
import { waiverSentence } from '../waivers/sentence.ts';
import { buildCurl } from './curl.ts';
import {
  LEVELS,
  type Standing,
  countLine,
  countUntried,
  listUntried,
  classifyResult,
  describeVerdict,
} from './standing.ts';

const MARKS: Readonly<Record<Standing, string>> = {
  failed: '✗',
  error: '!',
  'not-demanded': '✗',
  waived: '~',
  skipped: '–',
  passed: '✓',
  seen: '·',
  'not-seen': '·',
};
const MAX_LINE = 300;
const COLUMNS = [34, 80];
const WITHOUT_LINES = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/**
 * A report for people at a terminal: level by level what failed and why, what was left out and what was seen; then the
 * counts and the verdict. The stream decides on colour: only a terminal has it, and none with `NO_COLOR`.
 */
export function terminalReport(report: Report, stream: NodeJS.WriteStream = process.stdout): string {
  const paint: Paint = (format, text) => styleText(format, printable(text), { stream });
  const levels = LEVELS.flatMap((level) => levelLines(level, report, paint));
  const waivers = (report.waivers ?? []).map((waiver) =>
    paint(waiver.state === 'stale' ? 'red' : 'yellow', waiverSentence(waiver)),
  );
  const untried = listUntried(report.coverage).flatMap(({ reason, clauses }) =>
    indented([reason, `  ${clauses.join(', ')}`]),
  );
  const untriedLines = untried.length === 0 ? [] : [paint('bold', countUntried(report.coverage)), '', ...untried, ''];
  const counts = LEVELS.map((level) => `${level.padEnd(8)}  ${countLine(level, report)}`);
  const verdict = paint(['bold', report.conforms ? 'green' : 'red'], describeVerdict(report));
  return [...levels, ...waivers, ...(waivers.length === 0 ? [] : ['']), ...untriedLines, ...counts, '', verdict].join(
    '\n',
  );
}

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

function levelLines(level: Level, report: Report, paint: Paint): string[] {
  const results = report.results.filter((result) => result.level === level);
  const told = results.flatMap((result) => resultLines(result, classifyResult(result, report), paint));
  const gap = told.length === 0 || told.at(-1) === '' ? [] : [''];
  const lines = [...told, ...gap, ...leftOutLines(results), ...seenLines(results)];
  return lines.length === 0 ? [] : [paint('bold', level), '', ...lines];
}

/** Failures are shown in full, the rest briefly or not at all. */
function resultLines(result: CaseResult, standing: Standing, paint: Paint): string[] {
  const { id, title, reason, waived, clauses, problems = [], exchanges } = result;
  const head = `${MARKS[standing]} ${id}: ${title}`;
  if (standing === 'not-demanded') return indented([`${head} (not demanded)`]);
  if (standing === 'waived') return [paint('yellow', `  ${head}`), ...indented([`  Waived: ${waived}`]), ''];
  if (standing !== 'failed' && standing !== 'error') return [];
  return [
    paint('red', `  ${head}`),
    ...indented([...clauses.flatMap(sourceLines), ...(reason === undefined ? [] : [reason]), ...problems], 4),
    ...evidenceLines(exchanges),
    '',
  ];
}

function sourceLines(id: string): string[] {
  const clause = clausesById.get(id);
  return clause === undefined ? [] : [`${id}: “${clause.sentence}”`, `  ${clause.document}, ${clause.section}`];
}

/** The last exchange is the one that ended the case. */
function evidenceLines(exchanges: readonly Exchange[]): string[] {
  const last = exchanges.at(-1);
  if (last === undefined) return [];
  const { request, response, problem } = last;
  const answer = response === undefined ? (problem ?? '') : `${response.status} ${response.body}`;
  const again = buildCurl(last);
  return [
    ...indented([`${request.method} ${request.url}`, `→ ${answer.replaceAll(/\s+/g, ' ')}`], 4),
    // Not indented, so that it can be copied.
    ...(again === undefined ? [] : ['', printable(again.command)]),
  ];
}

function leftOutLines(results: readonly CaseResult[]): string[] {
  const leftOut = results.filter(({ state }) => state === 'skip' || state === 'not-observed');
  const reasons = Map.groupBy(leftOut, ({ reason = '' }) => reason);
  const lines = [...reasons].map(([reason, some]) => `${MARKS.skipped} ${some.length} × ${reason}`);
  return lines.length === 0 ? [] : [...indented(lines), ''];
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
  return [table.toString(), ''];
}

function indented(lines: readonly string[], by = 2): string[] {
  return lines.map((line) => `${' '.repeat(by)}${truncate(printable(line.replaceAll('\n', ' ')))}`);
}

function truncate(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

/** What a server sends must not move the cursor, nor turn the direction of the text. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
