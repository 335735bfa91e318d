import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CaseResult, Report } from '../../result.ts';
import { EXCHANGE, PARTIAL, report, result, withTexts } from '../testing/reports.ts';
import { terminalReport } from './report.ts';

afterEach(() => vi.unstubAllEnvs());

/** A stream that only knows whether it is a terminal. */
function stream(isTTY: boolean): NodeJS.WriteStream {
  return Object.assign(Object.create(WriteStream.prototype), new Writable(), { isTTY, fd: 1 });
}

const plain = (...given: Parameters<typeof report>): string =>
  terminalReport(report(...given), { stream: stream(false) });
const whole = (...given: Parameters<typeof report>): string =>
  terminalReport(report(...given), { stream: stream(false), isVerbose: true });

/** A case that got another status than 201. */
function failing(
  id: string,
  status: number,
  { operation = 'create', ...change }: Partial<CaseResult> & { operation?: string } = {},
): CaseResult {
  const problems = [`Expected status 201, but got ${status}.`];
  return result({ id, state: 'fail', problems, exchanges: [{ ...EXCHANGE, operation }], ...change });
}

describe('the report at a terminal', () => {
  it('says of a failure what was wrong, the sentence that it misses, and how to see it again', () => {
    const text = plain();
    expect(text).toContain('✗ creation/fields: The URL has the documented form.');
    expect(text).toMatch(/BRANCH-URL-1: “branchUrl[^]*Branch Management HTTP API, Resources and their fields, Branch/);
    expect(text).toMatch(/It is wrong\.\n +It is odd\.\n +POST https:[^\n]*\n +→ 500 Oops\./);
    expect(text).toMatch(/\n\ncurl [^]* --user "\$BRANCHLINE_ACCOUNT" \\\n/);
  });

  it('goes level by level, and ends with the counts and the verdict', () => {
    const text = plain();
    expect(text.match(/^(required|profile|observed)$/gm)).toEqual(['required', 'profile', 'observed']);
    expect(text.split('\n').slice(-5)).toEqual([
      'required  1 failed; 1 ended by a fault of the test; 1 failed, and waived; 1 skipped; 1 passed',
      'profile   1 failed, but not demanded',
      'observed  1 seen; 1 could not be seen',
      '',
      'https://api.example/ does not conform.',
    ]);
  });

  it('tells failures of one cause once, with their number, their clauses, and one example', () => {
    const alike = Array.from({ length: 40 }, (_, index) =>
      failing(`creation/case-${index}`, 500, { clauses: [`CLAUSE-${index % 20}`], title: `Title ${index}.` }),
    );
    const text = plain([...alike, failing('export/other', 500, { operation: 'export' })]);
    expect(text).toContain('41 failures have 2 causes');
    expect(text).toContain('✗ create, 40 cases: Status 500, where 201 was expected.');
    expect(text).toContain('creation/case-0, creation/case-1, creation/case-10 and 37 more');
    expect(text).toContain('Clauses: CLAUSE-0, CLAUSE-1, CLAUSE-10, CLAUSE-11, CLAUSE-12, CLAUSE-13 and 14 more');
    expect(text).toContain('For example creation/case-0: Title 0.');
    expect(text).toContain('✗ export/other: The URL has the documented form.');
    expect(text.match(/^curl /gm)).toHaveLength(2);
    expect(text).not.toContain('Title 1.');
  });

  it('tells the first causes in full, some more by a line, and all of them with --verbose', () => {
    const different = Array.from({ length: 26 }, (_, index) =>
      failing(`a/${String.fromCodePoint(97 + index)}`, 500, { operation: `op-${String.fromCodePoint(97 + index)}` }),
    );
    const text = plain(different);
    expect(text.match(/^curl /gm)).toHaveLength(3);
    expect(text).toContain('✗ a/d: Expected status 201, but got 500.');
    expect(text).toContain('… and 13 more: --verbose');
    expect(whole(different).match(/^curl /gm)).toHaveLength(26);
    for (const { id } of different) expect(whole(different)).toContain(`✗ ${id}: `);
  });

  it('says of a command that would fill the screen only how long it is', () => {
    const request = { ...EXCHANGE.request, body: 'x'.repeat(5_000) };
    const long = [result({ state: 'fail', problems: ['It is wrong.'], exchanges: [{ ...EXCHANGE, request }] })];
    expect(plain(long)).toMatch(/The command that sends it again has 5\d{3} characters: --verbose\./);
    expect(whole(long)).toContain('x'.repeat(5_000));
  });

  it('says why something was left out, once for each reason', () => {
    const skipped = ['a/a', 'a/b', 'a/c'].map((id) => result({ id, state: 'skip', reason: 'Needs a second account.' }));
    expect(plain(skipped)).toContain('– 3 × Needs a second account.');
  });

  it('shows what was observed in a table', () => {
    const seen = result({ id: 'open/form', level: 'observed', saw: 'Status 201.' });
    for (const text of [whole(), plain([seen])])
      expect(text).toMatch(/│ observed +│ seen +│\n│ open\/form +│ Status 201\. +│/);
    expect(plain()).toContain('--verbose shows each failure in full, each clause, and what was observed.');
  });

  it('has a table of the clauses with --verbose', () => {
    expect(whole()).toMatch(
      /│ clause +│ sentence +│ level +│ cases │ verdict +│\n│ BRANCH-URL-1 +│ .+│ required │ 5 +│ failed +│/,
    );
    expect(plain()).not.toContain('│ clause');
  });

  it('says what became of waivers', () => {
    const text = plain([result()], { waivers: [{ case: 'creation/url', reason: 'r', state: 'stale' }] });
    expect(text).toContain(
      'The waiver of creation/url is not needed any more, as nothing that it names fails: remove it.',
    );
    expect(plain()).toContain('~ creation/waived');
    expect(plain()).toContain('Waived: Ticket 42.');
  });

  it('says what was not tried, and what to give to try it', () => {
    const text = plain([result()], { conforms: true, coverage: PARTIAL });
    expect(text).toMatch(
      /2 of 61 clauses untried\n\n +Needs branches in other statuses: --seed-command\.\n +EXPORT-COLUMN-branchMergedDate, EXPORT/,
    );
    expect(text).toMatch(/conforms in what was tried; 2 of 61 clauses untried\.$/);
  });

  it('calls an interrupted run neither', () => {
    expect(plain([], { incomplete: true })).toMatch(/was interrupted, and shows nothing of whether .* conforms\.$/);
  });

  it.each<[string, Partial<Report>]>([
    ['conforms.', {}],
    ['conforms, to the profile too.', { profile: true }],
    ['conforms in the cases with "creation/", which are not all.', { selection: { only: ['creation/'] } }],
    [
      'conforms in the cases of the level required that failed before without "limits" or "open", which are not all.',
      { selection: { levels: ['required'], failedBefore: ['a/b'], exclude: ['limits', 'open'] } },
    ],
    ['conforms, but for what is waived.', { results: [result({ state: 'fail', waived: 'Known.' })] }],
  ])('ends with what was shown: %s', (sentence, change) => {
    const text = plain([], { conforms: true, ...change });
    expect(text.endsWith(`\nhttps://api.example/ ${sentence}`)).toBe(true);
  });

  it('does not call conforming what it could not try', () => {
    const text = plain([result({ state: 'skip' })]);
    expect(text).toMatch(/\nNothing could be judged, so nothing shows whether .* conforms\.$/);
  });

  it('has colour on a terminal only, and none with NO_COLOR', () => {
    for (const name of ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS', 'CI']) vi.stubEnv(name, undefined);
    vi.stubEnv('TERM', 'xterm-256color');
    const coloured = terminalReport(report(), { stream: stream(true) });
    expect(stripVTControlCharacters(coloured)).not.toBe(coloured);
    expect(plain()).toBe(stripVTControlCharacters(coloured));
    vi.stubEnv('NO_COLOR', '1');
    expect(terminalReport(report(), { stream: stream(true) })).toBe(plain());
  });

  it('lets no server move the cursor', () => {
    const text = terminalReport(
      withTexts((before) => `${before}\u001B[2J\u009B1A\r\u202E`),
      { stream: stream(false), isVerbose: true },
    );
    expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E]/u);
  });
});
