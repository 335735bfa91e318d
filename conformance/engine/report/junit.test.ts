import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { junitReport } from './junit.ts';
import type { Exchange } from '../result.ts';
import { EXCHANGE, PARTIAL, faultNamed, realReport, report, result, withTexts } from './testing/reports.ts';

interface Case {
  classname: string;
  name: string;
  failure?: { message: string; '#text': string };
  error?: { message: string };
  skipped?: { message: string };
  'system-out'?: string;
}

interface Suite {
  name: string;
  tests: string;
  failures: string;
  errors: string;
  skipped: string;
  testcase: Case[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});

function readSuites(text: string): Suite[] {
  expect(XMLValidator.validate(text)).toBe(true);
  return parser.parse(text).testsuites.testsuite;
}

const named = (suites: Suite[], name: string): Case | undefined =>
  suites.flatMap(({ testcase }) => testcase).find(({ classname }) => classname.endsWith(`.${name}`));

describe('the JUnit report', () => {
  it('tells each kind of result', () => {
    const suites = readSuites(junitReport(report()));
    expect(
      suites.map(({ name, tests, failures, errors, skipped }) => [name, tests, failures, errors, skipped]),
    ).toEqual([
      ['creation', '5', '1', '1', '2'],
      ['profile', '1', '0', '0', '1'],
      ['open', '2', '0', '0', '1'],
    ]);
    expect(Object.keys(named(suites, 'url') ?? {})).toEqual(['classname', 'name', 'time']);
    expect(named(suites, 'waived')?.skipped?.message).toBe('Waived: Ticket 42.');
    expect(named(suites, 'skipped')?.skipped?.message).toBe('Needs a second account.');
    expect(named(suites, 'error')?.error?.message).toBe('TypeError: no such thing');
    expect(named(suites, 'head')?.skipped?.message).toBe('It failed, but not demanded.');
    expect(named(suites, 'form')?.['system-out']).toBe('Saw: Status 201.');
  });

  it('says of a failure what was wrong, the sentence that it misses, and how to see it again', () => {
    const failure = named(readSuites(junitReport(report())), 'fields')?.failure;
    expect(failure?.message).toBe('It is wrong.');
    expect(failure?.['#text']).toMatch(/It is odd\.[^]*BRANCH-URL-1: “branchUrl[^]*curl [^]*"\$BRANCHLINE_ACCOUNT"/);
  });

  it('says what came, and cuts what is long', () => {
    const long = { ...EXCHANGE, response: { ...EXCHANGE.response, body: 'x'.repeat(5_000) } } as Exchange;
    const broken: Exchange = { request: EXCHANGE.request, problem: 'The service broke the exchange.' };
    const textFor = (exchange: Exchange): string | undefined => {
      const failed = result({ state: 'fail', problems: ['It is wrong.'], exchanges: [exchange] });
      return named(readSuites(junitReport(report([failed]))), 'url')?.failure?.['#text'];
    };
    expect(textFor(EXCHANGE)).toContain('The answer:\nHTTP/1.1 500\nx-kind: odd\n\nOops.\n');
    expect(textFor(long)).toContain(`${'x'.repeat(2_000)}\n… and 3000 characters more`);
    expect(textFor(broken)).toContain('\nThe service broke the exchange.\n');
  });

  it('fails a failure of the profile where the profile is demanded', () => {
    const suites = readSuites(junitReport(report(undefined, { profile: true })));
    expect(named(suites, 'head')?.failure?.message).toBe('No HEAD.');
  });

  it('skips a clause that was not tried, with what to give to try it', () => {
    const suites = readSuites(junitReport(report([result()], { coverage: PARTIAL })));
    const [first] = suites.find(({ name }) => name === 'clauses')?.testcase ?? [];
    expect(first).toMatchObject({
      name: 'The clause EXPORT-COLUMN-branchMergedDate was tried.',
      skipped: { message: 'Needs branches in other statuses: --seed-command.' },
    });
  });

  it('fails a waiver that is not needed any more, and a run that was interrupted', () => {
    const waivers = [
      { case: 'creation/url', reason: 'r', state: 'stale' },
      { case: 'creation/x', reason: 'r', state: 'unused' },
      { case: 'creation/y', reason: 'r', until: '2020-01-01', state: 'expired' },
      { case: 'creation/z', reason: 'r', state: 'used' },
    ] as const;
    const suites = readSuites(junitReport(report([result()], { waivers: [...waivers], incomplete: true })));
    expect(suites.map(({ name, failures, errors, skipped }) => [name, failures, errors, skipped])).toEqual([
      ['creation', '0', '0', '0'],
      ['waivers', '1', '0', '2'],
      ['run', '0', '1', '0'],
    ]);
  });

  it('of a real run counts what the report counts', async () => {
    const found = await realReport(faultNamed('url-http'));
    const suites = readSuites(junitReport(found));
    const cases = suites.filter(({ name }) => name !== 'clauses').flatMap(({ testcase }) => testcase);
    expect(cases).toHaveLength(found.results.length);
    const failed = suites.flatMap(({ testcase }) => testcase).filter(({ failure }) => failure !== undefined);
    expect(failed.map(({ classname }) => classname)).toEqual(['required.creation.url']);
  });
});

/** What is left of a text in XML 1.0. */
function inXml(text: string): string {
  const legal = /[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
  return Array.from(text, (one) => (legal.test(one) ? one : '\uFFFD'))
    .join('')
    .replaceAll('\r', '\n');
}

it('whatever the texts are, the XML can be read, and says them', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(']]>', '<!--', '&#0;', '\u0000\uD800\uFFFF'),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const suites = readSuites(junitReport(withTexts((before) => `${before}${text}.`)));
      expect(named(suites, 'form')?.['system-out']).toBe(`Saw: Status 201.${inXml(text)}.`);
      expect(named(suites, 'waived')?.skipped?.message).toBe(
        `Waived: Ticket 42.${inXml(text)}.`.replaceAll(/\s+/g, ' '),
      );
    }),
  );
});
