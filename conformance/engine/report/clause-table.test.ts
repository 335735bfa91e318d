import { describe, expect, it } from 'vitest';
import { clauses } from '../../clauses.ts';
import type { CaseResult } from '../result.ts';
import { tabulateClauses } from './clause-table.ts';
import { PARTIAL, report, result } from './testing/reports.ts';

const ID = 'BRANCH-URL-1';

/** The row of a clause whose cases end so. */
function rowFor(...results: Partial<CaseResult>[]) {
  const [row, ...others] = tabulateClauses(
    report(results.map((change, index) => result({ id: `a/${index}`, ...change }))),
  );
  expect(others).toEqual([]);
  return row;
}

describe('the verdict on a clause', () => {
  const failed: Partial<CaseResult> = { state: 'fail', problems: ['It is wrong.'] };
  const skipped: Partial<CaseResult> = { state: 'skip', reason: 'Needs a second account.' };

  it.each<[string, Partial<CaseResult>[]]>([
    ['passed', [{}, {}]],
    ['failed', [{}, failed, skipped]],
    ['passed', [skipped, {}]],
    ['skipped', [skipped, skipped]],
    ['waived', [{}, { ...failed, waived: 'Known.' }]],
    ['failed', [failed, { ...failed, waived: 'Known.' }]],
    ['error', [{}, { state: 'error', reason: 'TypeError' }]],
    ['not-demanded', [{ ...failed, level: 'profile' }]],
    [
      'seen',
      [
        { level: 'observed', saw: 'Status 201.' },
        { level: 'observed', state: 'not-observed', reason: 'r' },
      ],
    ],
    ['not-seen', [{ level: 'observed', state: 'not-observed', reason: 'r' }]],
  ])('is %s where its cases ended so: %j', (verdict, results) => {
    expect(rowFor(...results)).toMatchObject({ id: ID, verdict, cases: results.length });
  });

  it('has the sentence, and the number of cases that failed', () => {
    expect(rowFor({}, failed, failed)).toMatchObject({
      clause: { id: ID, sentence: expect.stringContaining('branchUrl') },
      level: 'required',
      cases: 3,
      failed: 2,
      reasons: [],
    });
  });

  it('says why it was not tried', () => {
    expect(rowFor(skipped, skipped)?.reasons).toEqual(['Needs a second account.']);
  });
});

it('has clauses that no case came to, in the order of the documents, and unknown ones at the end', () => {
  const found = tabulateClauses(
    report([result({ clauses: ['OTHER-1'] }), result({ id: 'a/b', clauses: [ID] })], { coverage: PARTIAL }),
  );
  const order = clauses.map(({ id }) => id);
  const known = [ID, 'EXPORT-COLUMN-branchMergedDate', 'EXPORT-COLUMN-branchMergedUserEmail'];
  expect(found.map(({ id }) => id)).toEqual([
    ...known.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    'OTHER-1',
  ]);
  expect(found.find(({ id }) => id === 'EXPORT-COLUMN-branchMergedDate')).toMatchObject({
    cases: 0,
    verdict: 'skipped',
    reasons: ['The run did not reach it.'],
  });
});
