import { expect, it } from 'vitest';
import { measureCoverage } from './coverage.ts';
import { result } from './report/testing/reports.ts';

const NEEDS = 'Needs a second account.';
const tried = result({ id: 'a/tried', clauses: ['A-1'] });
const skipped = result({ id: 'a/skipped', clauses: ['A-1', 'B-1'], state: 'skip', reason: NEEDS });
const failed = result({ id: 'a/failed', clauses: ['C-1'], state: 'fail', problems: ['It is wrong.'] });
const profile = result({ id: 'a/profile', clauses: ['P-1'], level: 'profile', state: 'skip', reason: NEEDS });
const observed = result({
  id: 'a/seen',
  clauses: ['O-1'],
  level: 'observed',
  state: 'not-observed',
  reason: 'Nothing.',
});
const all = [tried, skipped, failed, profile, observed];

it('counts a clause as tried where a case about it passed or failed', () => {
  expect(measureCoverage(all, all, false)).toEqual({ demanded: 3, untried: [{ clause: 'B-1', reasons: [NEEDS] }] });
});

it('demands the clauses of the profile where the profile is demanded', () => {
  const { demanded, untried } = measureCoverage(all, all, true);
  expect(demanded).toBe(4);
  expect(untried.map(({ clause }) => clause)).toEqual(['B-1', 'P-1']);
});

it('counts nothing as tried that a run did not reach, or that ended by a fault of the test', () => {
  const error = result({ id: 'a/failed', clauses: ['C-1'], state: 'error', reason: 'TypeError: no' });
  expect(measureCoverage(all, [error], false).untried).toEqual([
    { clause: 'A-1', reasons: ['The run did not reach it.'] },
    { clause: 'B-1', reasons: ['The run did not reach it.'] },
    { clause: 'C-1', reasons: ['TypeError: no'] },
  ]);
});
