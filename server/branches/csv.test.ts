import { readFileSync } from 'node:fs';
import { parse as parseWithSister } from 'csv-parse/sync';
import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { csvHeader, csvLines } from './csv.ts';
import { branchRow } from './testing/rows.ts';

const COLUMNS = csvHeader().trimEnd().split(',');

describe('the header', () => {
  it('names the columns of the contract, in its order', () => {
    const contract = parseYaml(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
    expect(csvHeader()).toBe(`${contract.components.schemas.BranchStatsCsv['x-branchline-columns'].join(',')}\r\n`);
  });
});

describe('a line', () => {
  it('has ISO timestamps, a JSON array of collaborators, and empty cells for what never happened', () => {
    expect(csvLines([branchRow({ collaborators: '["grace@example.com"]' })])).toBe(
      'checkout,id-1,account-1,ci@example.com,2026-01-02T03:04:05.678Z,Draft,"[""grace@example.com""]",,,,,\r\n',
    );
    const merged = branchRow({
      status: 'Merged',
      last_published_at: Date.UTC(2026, 0, 3),
      ready_at: Date.UTC(2026, 0, 4),
      ready_email: 'ada@example.com',
      merged_at: Date.UTC(2026, 0, 5),
      merged_email: 'grace@example.com',
    });
    expect(csvLines([merged])).toBe(
      'checkout,id-1,account-1,ci@example.com,2026-01-02T03:04:05.678Z,Merged,[],2026-01-03T00:00:00.000Z,' +
        '2026-01-04T00:00:00.000Z,ada@example.com,2026-01-05T00:00:00.000Z,grace@example.com\r\n',
    );
  });

  it('is there for each branch, and none for none', () => {
    expect(csvLines([])).toBe('');
    expect(
      readBack(csvLines([branchRow({ branch_id: 'a' }), branchRow({ branch_id: 'b' })])).map((cells) => cells[1]),
    ).toEqual(['a', 'b']);
  });

  it('keeps every byte of hostile text, as two parsers read it', () => {
    const nasty = fc.constantFrom(
      '"',
      ',',
      '\r',
      '\n',
      '\r\n',
      '\t',
      ' ',
      "'",
      '=',
      '@',
      '+',
      ';',
      '\ufeff',
      '🎉',
      'ı',
      '\u0001',
      'a',
    );
    const text = fc.oneof(
      fc.string({ unit: nasty, minLength: 1 }),
      fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !value.includes('\0')),
      fc.constantFrom(' a@b ', '"quoted, \r\n local"@example.com', '=1+1@example.com', '""', '"', '\r', '\n'),
    );
    fc.assert(
      fc.property(text, text, text, fc.array(text), (creator, reviewer, merger, collaborators) => {
        const written = branchRow({
          creator_email: creator,
          ready_email: reviewer,
          merged_email: merger,
          collaborators: JSON.stringify(collaborators),
        });
        const line = csvLines([written]);
        for (const records of [readBack(line), parseWithSister(csvHeader() + line).slice(1)]) {
          expect(records).toHaveLength(1);
          const [cells = []] = records;
          expect(cells).toHaveLength(COLUMNS.length);
          expect(cell(cells, 'branchCreatorEmail')).toBe(creator);
          expect(cell(cells, 'markedReadyForReviewerUserEmail')).toBe(reviewer);
          expect(cell(cells, 'branchMergedUserEmail')).toBe(merger);
          expect(JSON.parse(cell(cells, 'collaborators') ?? '')).toEqual(collaborators);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('for a spreadsheet', () => {
  const inCell = (text: string, forSpreadsheet: boolean) =>
    cell(readBack(csvLines([branchRow({ creator_email: text })], { forSpreadsheet }))[0] ?? [], 'branchCreatorEmail');

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['a\u3164=1', "a\u3164'=1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A1', "'＠A1"],
    ['﹦1', "'﹦1"],
    ['﹢1', "'﹢1"],
    ['﹣1', "'﹣1"],
    ['﹫A1', "'﹫A1"],
    ['\u22121', "'\u22121"],
    ['⁼1', "'⁼1"],
    ['\ufeff=1', "\ufeff'=1"],
    ['\u200b\u00a0=1', "\u200b\u00a0'=1"],
    ['\u0001=1', "\u0001'=1"],
    ['a\u034f=1', "a\u034f'=1"],
    ['\ufe0f=1', "\ufe0f'=1"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n1', "'\n1"],
    [' =1', " '=1"],
    ['=HYPERLINK("http://x","a,b")', '\'=HYPERLINK("http://x","a,b")'],
    ['a;=1+1@example.com', "a;'=1+1@example.com"],
    ['a|=1', "a|'=1"],
    ['a,b =1', "a,b '=1"],
    ['"a\n@x"@example.com', '"a\n\'@x"\'@example.com'],
  ])('a formula is defused wherever a cell may begin: %j', (formula, defused) => {
    expect(inCell(formula, true)).toBe(defused);
    expect(inCell(formula, false)).toBe(formula);
  });

  it('a formula is defused in whatever form Unicode has its first character', () => {
    const every = Array.from({ length: 0x11_0000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
    const forms = every
      .map((code) => String.fromCodePoint(code))
      .filter((form) => /^[=+\-@\u2212]/.test(form.normalize('NFKC')));
    expect(forms.length).toBeGreaterThan(20);
    for (const form of forms) expect(inCell(`${form}1`, true)).toBe(`'${form}1`);
  });

  it.each(['grace.hopper+ci@example.com', 'a--b', "o'hara_-x@example.com", 'a-b;c', '2026-01-02', 'é-ü@例え.jp'])(
    'other text stays as it is: %j',
    (text) => {
      expect(inCell(text, true)).toBe(text);
    },
  );

  it('no cell is a formula, whatever the spreadsheet splits at and whether or not it knows quotes', () => {
    const text = fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', '＝', ';', '\t', '|', ' ', ':', ',', '"', '\n', '\r', 'a', '1'),
      minLength: 1,
    });
    fc.assert(
      fc.property(text, text, fc.array(text), (creator, reviewer, collaborators) => {
        const hostile = branchRow({
          creator_email: creator,
          ready_email: reviewer,
          collaborators: JSON.stringify(collaborators),
        });
        const line = csvLines([hostile], { forSpreadsheet: true });
        const [cells = []] = readBack(line);
        expect(JSON.parse(cell(cells, 'collaborators') ?? '')).toHaveLength(collaborators.length);
        const split = [';', '\t', '|', ' ', ':', ','].flatMap((separator) => [
          ...line.split(/[\r\n]/).flatMap((one) => one.split(separator)),
          ...Papa.parse<string[]>(line, { delimiter: separator }).data.flat(),
        ]);
        for (const one of [...cells, ...split]) expect(one).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('collaborators stay a JSON array, and what is no text stays as it is', () => {
    const branch = branchRow({ name: '-edge', collaborators: '["=1@example.com","grace@example.com"]' });
    const [cells = []] = readBack(csvLines([branch], { forSpreadsheet: true }));
    expect(cell(cells, 'branchName')).toBe("'-edge");
    expect(cell(cells, 'collaborators')).toBe('["\'=1@example.com","grace@example.com"]');
    expect(cell(cells, 'creationDate')).toBe('2026-01-02T03:04:05.678Z');
  });
});

/** By a parser that has nothing to do with the writer. Without its header line it would take a BOM in the first cell for its own. */
function readBack(lines: string): string[][] {
  const { data, errors } = Papa.parse<string[]>(csvHeader() + lines, {
    delimiter: ',',
    newline: '\r\n',
    skipEmptyLines: false,
  });
  expect(errors).toEqual([]);
  expect(data.at(-1)).toEqual(['']);
  return data.slice(1, -1);
}

function cell(cells: readonly string[], column: string): string | undefined {
  return cells[COLUMNS.indexOf(column)];
}
