import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Report } from '../result.ts';
import { terminalReport } from './terminal.ts';
import { PARTIAL, report, result, withTexts } from './testing/reports.ts';

afterEach(() => vi.unstubAllEnvs());

/** A stream that only knows whether it is a terminal. */
function stream(isTTY: boolean): NodeJS.WriteStream {
  return Object.assign(Object.create(WriteStream.prototype), new Writable(), { isTTY, fd: 1 });
}

const plain = (...given: Parameters<typeof report>): string => terminalReport(report(...given), stream(false));

describe('the report at a terminal', () => {
  it('says of a failure what was wrong, the sentence that it misses, and how to see it again', () => {
    const text = plain();
    expect(text).toContain('✗ creation/fields: The URL has the documented form.');
    expect(text).toMatch(/BRANCH-URL-1: “branchUrl[^]*Branch Management HTTP API, Resources and their fields, Branch/);
    expect(text).toMatch(/It is wrong\.\n +It is odd\.\n +POST https:[^\n]*\n +→ 500 Oops\./);
    expect(text).toMatch(/\n\ncurl [^]*\n {2}--user "\$BRANCHLINE_ACCOUNT" \\\n/);
  });

  it('goes level by level, and ends with the counts and the verdict', () => {
    const text = plain();
    expect(text.match(/^(required|profile|observed)$/gm)).toEqual(['required', 'profile', 'observed']);
    expect(text.split('\n').slice(-5)).toEqual([
      'required  1 failed; 1 ended by a fault of the suite; 1 failed, and waived; 1 skipped; 1 passed',
      'profile   1 failed, but not demanded',
      'observed  1 seen; 1 could not be seen',
      '',
      'https://api.example/ does not conform.',
    ]);
  });

  it('says why something was left out, once for each reason', () => {
    const skipped = ['a/a', 'a/b', 'a/c'].map((id) => result({ id, state: 'skip', reason: 'Needs a second account.' }));
    expect(plain(skipped)).toContain('– 3 × Needs a second account.');
  });

  it('shows what was observed in a table', () => {
    expect(plain()).toMatch(/│ observed +│ seen +│\n│ open\/form +│ Status 201\. +│/);
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
    ['conforms in the cases with "creation/", which are not all.', { only: 'creation/' }],
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
    const coloured = terminalReport(report(), stream(true));
    expect(stripVTControlCharacters(coloured)).not.toBe(coloured);
    expect(plain()).toBe(stripVTControlCharacters(coloured));
    vi.stubEnv('NO_COLOR', '1');
    expect(terminalReport(report(), stream(true))).toBe(plain());
  });

  it('lets no server move the cursor', () => {
    const text = terminalReport(
      withTexts((before) => `${before}\u001B[2J\u009B1A\r\u202E`),
      stream(false),
    );
    expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E]/u);
  });
});
