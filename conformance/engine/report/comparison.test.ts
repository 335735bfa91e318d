import { expect, it } from 'vitest';
import type { CaseState } from '../result.ts';
import { compareReports, describeChanges, describeComparison } from './comparison.ts';
import { report, result } from './testing/reports.ts';

const STATES: readonly CaseState[] = ['pass', 'fail', 'skip', 'not-observed', 'error'];

it('tells what is fixed, broken, new and still failing, whatever a case was and is', () => {
  const then = [...STATES, undefined];
  const pairs = then.flatMap((was) => STATES.map((is) => ({ id: `${was ?? 'nothing'}/${is}`, was, is })));
  const earlier = { results: pairs.flatMap(({ id, was }) => (was === undefined ? [] : [{ id, state: was }])) };
  const now = report(pairs.map(({ id, is }) => result({ id, state: is, reason: 'r', problems: ['It is wrong.'] })));
  expect(compareReports(earlier, now)).toEqual({
    fixed: ['fail/pass', 'error/pass'],
    broken: ['pass/fail', 'pass/error'],
    new: ['skip/fail', 'skip/error', 'not-observed/fail', 'not-observed/error', 'nothing/fail', 'nothing/error'],
    still: ['fail/fail', 'fail/error', 'error/fail', 'error/error'],
  });
});

it('says only what there is to say', () => {
  const comparison = { startedAt: '2026-01-02T03:04:05.678Z', fixed: ['a/a'], broken: [], new: ['a/b'], still: [] };
  expect(describeComparison(comparison)).toBe('Compared to the report of 2026-01-02T03:04:05.678Z');
  expect(describeChanges(comparison)).toEqual([
    { words: 'new failures', cases: ['a/b'] },
    { words: 'fixed since', cases: ['a/a'] },
  ]);
});
