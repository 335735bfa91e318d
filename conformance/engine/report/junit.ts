import { XMLBuilder } from 'fast-xml-parser';
import { clausesById } from '../../clauses.ts';
import type { CaseResult, Coverage, Exchange, Report, WaiverResult } from '../result.ts';
import { waiverSentence } from '../waivers/sentence.ts';
import { buildCurl } from './curl.ts';
import { STANDING_WORDS, classifyResult } from './standing.ts';

interface Outcome {
  '@_message': string;
  '@_type'?: string;
  '#text'?: string;
}

interface TestCase {
  '@_classname': string;
  '@_name': string;
  '@_time': string;
  failure?: Outcome;
  error?: Outcome;
  skipped?: Outcome;
  'system-out'?: string;
}

/** The report for CI servers: a suite for each capability, a test case for each case. Only what counts is a failure. */
export function junitReport(report: Report): string {
  const groups = Map.groupBy(report.results, ({ id }) => id.slice(0, id.indexOf('/')));
  const suites = [...groups].map(([name, results]) =>
    suite(
      name,
      report,
      results.map((one) => testCase(one, report)),
    ),
  );
  const waivers = report.waivers === undefined ? [] : [suite('waivers', report, report.waivers.map(waiverCase))];
  const { untried, of = 'clauses' } = report.coverage;
  const clauses =
    untried.length === 0
      ? []
      : [
          suite(
            of,
            report,
            untried.map((one) => untriedCase(one, of)),
          ),
        ];
  const ending = report.incomplete === true ? [suite('run', report, [INTERRUPTED])] : [];
  const all = [...suites, ...waivers, ...clauses, ...ending];
  const cases = all.flatMap(({ testcase }) => testcase);
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    testsuites: { '@_name': `${report.tool.name} ${report.tool.version}`, ...totals(cases), testsuite: all },
  });
}

/** What XML 1.0 can't hold, escaped or not. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const legal = (_: string, value: unknown): string => String(value).replaceAll(ILLEGAL, '\uFFFD').replaceAll('\r', '\n');

const builder = new XMLBuilder({
  ignoreAttributes: false,
  format: true,
  suppressBooleanAttributes: false,
  tagValueProcessor: legal,
  // Readers turn a line break in an attribute into a space.
  attributeValueProcessor: (name, value) => legal(name, value).replaceAll(/\s+/g, ' '),
});

function suite(name: string, { startedAt }: Report, testcase: TestCase[]) {
  return { '@_name': name, ...totals(testcase), '@_timestamp': startedAt.slice(0, 19), testcase };
}

function totals(cases: readonly TestCase[]) {
  return {
    '@_tests': String(cases.length),
    '@_failures': String(cases.filter(({ failure }) => failure !== undefined).length),
    '@_errors': String(cases.filter(({ error }) => error !== undefined).length),
    '@_skipped': String(cases.filter(({ skipped }) => skipped !== undefined).length),
    '@_time': seconds(cases.reduce((sum, one) => sum + Number(one['@_time']), 0)),
  };
}

function testCase(result: CaseResult, report: Report): TestCase {
  return {
    '@_classname': `${result.level}.${result.id.replaceAll('/', '.')}`,
    '@_name': result.title,
    '@_time': seconds(result.milliseconds / 1_000),
    ...outcome(result, report),
  };
}

function outcome(result: CaseResult, report: Report): Partial<TestCase> {
  const { problems = [], reason = '', saw = '', waived = '', warnings = [] } = result;
  const standing = classifyResult(result, report);
  switch (standing) {
    case 'passed':
      return warnings.length === 0 ? {} : { 'system-out': warnings.map((one) => `Warning: ${one}`).join('\n') };
    case 'seen':
      return { 'system-out': `Saw: ${saw}` };
    case 'failed':
      return { failure: { '@_message': problems[0] ?? '', '@_type': 'failed', '#text': evidence(result) } };
    case 'error':
      return { error: { '@_message': reason, '@_type': 'error', '#text': evidence(result) } };
    case 'waived':
      return { skipped: { '@_message': `Waived: ${waived}` }, 'system-out': evidence(result) };
    case 'not-demanded':
      return { skipped: { '@_message': `It ${STANDING_WORDS[standing]}.` }, 'system-out': evidence(result) };
    case 'skipped':
    case 'not-seen':
      return { skipped: { '@_message': reason } };
  }
}

function evidence({ id, clauses, problems = [], exchanges }: CaseResult): string {
  const sources = clauses.map((clauseId) => {
    const { document, section, sentence } = clausesById.get(clauseId) ?? { document: '', section: '', sentence: '' };
    return `${clauseId}: “${sentence}” (${document}, ${section})`;
  });
  const curls = exchanges.flatMap((exchange) => buildCurl(exchange) ?? []);
  const commands = new Set(curls.map(({ command }) => command));
  const notes = new Set(curls.flatMap((curl) => curl.notes));
  const again = curls.length === 0 ? [] : ['', 'To send it again:', ...notes, ...commands];
  return [id, ...problems, '', ...sources, ...describeResponse(exchanges.at(-1)), ...again].join('\n');
}

const MAX_BODY = 2_000;

/** Of the exchange that ended the case. */
function describeResponse({ response, problem }: Partial<Exchange> = {}): string[] {
  if (response === undefined) return problem === undefined ? [] : ['', problem];
  const { status, httpVersion, headers, body } = response;
  const cut = body.length > MAX_BODY ? [`… and ${body.length - MAX_BODY} characters more`] : [];
  const head = headers.map(([name, value]) => `${name}: ${value}`);
  return ['', 'The answer:', `HTTP/${httpVersion} ${status}`, ...head, '', body.slice(0, MAX_BODY), ...cut];
}

function untriedCase(
  { clause, reasons }: Coverage['untried'][number],
  of: NonNullable<Coverage['of']> | 'clauses',
): TestCase {
  return {
    '@_classname': of,
    '@_name': `The ${of === 'clauses' ? 'clause' : 'operation'} ${clause} was tried.`,
    '@_time': seconds(0),
    skipped: { '@_message': reasons.join(' ') },
  };
}

function waiverCase(waiver: WaiverResult): TestCase {
  const message = waiverSentence(waiver);
  const told = { '@_message': message };
  return {
    '@_classname': 'waivers',
    '@_name': `The waiver of ${waiver.case ?? waiver.clause} is needed.`,
    '@_time': seconds(0),
    ...(waiver.state === 'stale' ? { failure: { ...told, '@_type': 'stale' } } : {}),
    ...(waiver.state === 'unused' || waiver.state === 'expired' ? { skipped: told } : {}),
  };
}

const INTERRUPTED: TestCase = {
  '@_classname': 'run',
  '@_name': 'The run came to its end.',
  '@_time': '0.000',
  error: { '@_message': 'The run was interrupted.', '@_type': 'interrupted' },
};

function seconds(number: number): string {
  return number.toFixed(3);
}
