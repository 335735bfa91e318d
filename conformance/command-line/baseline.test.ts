import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { report, result } from '../engine/report/testing/reports.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import { finishReport, prepareReporting } from './reporting.ts';

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
const path = join(folder, 'baseline.yaml');
const out = join(folder, 'report.json');
let written: string[] = [];
beforeAll(() => {
  // What the reports print goes here.
  vi.spyOn(process.stdout, 'write').mockImplementation((text: unknown, ended?: unknown): boolean => {
    written.push(String(text));
    if (typeof ended === 'function') ended();
    return true;
  });
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const failing = (id: string): CaseResult => result({ id, state: 'fail', problems: ['It is wrong.'] });
const passing = (id: string): CaseResult => result({ id });

/** Reports a run with the baseline, and says what it came to. */
async function finish(results: CaseResult[], change: Partial<Report> = {}, waivers?: string) {
  written = [];
  const given = { baseline: path, report: [`json=${out}`], ...(waivers === undefined ? {} : { waivers }) };
  const cases = ['a/a', 'a/b', 'a/c'].map((id) => result({ id }));
  const conforms = results.every(({ state }) => state === 'pass');
  const exitCode = await finishReport(report(results, { conforms, ...change }), await prepareReporting(given, cases));
  const waived: { waivers: { case: string }[] } = existsSync(path)
    ? parse(readFileSync(path, 'utf8'))
    : { waivers: [] };
  return { exitCode, output: written.join(''), known: waived.waivers.map((one) => one.case) };
}

it('the first run writes it, later ones remove what passes, and what it does not name fails', async () => {
  const first = await finish([failing('a/a'), failing('a/b'), passing('a/c')]);
  expect(first).toMatchObject({ exitCode: 0, known: ['a/a', 'a/b'] });
  expect(first.output).toMatch(/conforms, but for what is waived\.\n$/);
  expect(readFileSync(path, 'utf8')).toMatch(
    /^# Known failures\.[^]*reason: It failed on \d{4}-\d\d-\d\d, when the baseline/,
  );

  const second = await finish([failing('a/a'), passing('a/b'), passing('a/c')]);
  expect(second).toMatchObject({ exitCode: 0, known: ['a/a'] });
  expect(second.output).toContain('The waiver of a/b is not needed any more');
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
    waivers: [
      { case: 'a/a', baseline: true, state: 'used' },
      { case: 'a/b', baseline: true, state: 'pruned' },
    ],
  });

  expect(await finish([passing('a/b'), passing('a/c')])).toMatchObject({ exitCode: 0, known: ['a/a'] });
  const third = await finish([failing('a/a'), failing('a/b'), passing('a/c')]);
  expect(third).toMatchObject({ exitCode: 1, known: ['a/a'] });
});

it('it never holds what waivers name, nor what there is no more', async () => {
  rmSync(path);
  const waivers = join(folder, 'waivers.yaml');
  writeFileSync(waivers, 'waivers: [{ case: a/a, reason: Ticket 42. }]');
  expect(await finish([failing('a/a'), failing('a/b')], {}, waivers)).toMatchObject({ exitCode: 0, known: ['a/b'] });
  writeFileSync(path, 'waivers: [{ case: gone/since, reason: r }, { case: a/b, reason: r }]');
  expect(await finish([failing('a/b')])).toMatchObject({ exitCode: 0, known: ['a/b'] });
});

it.each([{ incomplete: true }, { stopped: true }] as const)(
  'a run that did not end writes none: %j',
  async (change) => {
    rmSync(path, { force: true });
    expect((await finish([failing('a/a')], change)).exitCode).toBeGreaterThan(0);
    expect(existsSync(path)).toBe(false);
  },
);

it('a file that is none, or can not be written, is refused before the run', async () => {
  writeFileSync(path, 'waivers: none');
  await expect(finish([])).rejects.toThrow(`--baseline: ${path} is no file of waivers`);
  await expect(prepareReporting({ baseline: join(folder, 'no', 'such') }, [])).rejects.toThrow(
    /--baseline: the file .* can't be written \(ENOENT\)\./,
  );
});
