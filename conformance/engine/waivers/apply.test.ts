import { describe, expect, it } from 'vitest';
import { report, result } from '../report/testing/reports.ts';
import type { CaseResult, Report } from '../result.ts';
import { applyWaivers } from './apply.ts';
import { waiverSentence } from './sentence.ts';
import type { Waiver } from './waiver.ts';

const NOON = new Date('2026-06-15T12:00:00Z');
const failing = (id: string, clause = 'BRANCH-URL-1'): CaseResult =>
  result({ id, clauses: [clause], state: 'fail', problems: ['It is wrong.'] });

function waived(results: CaseResult[], waivers: Waiver[], change: Partial<Report> = {}): Report {
  return applyWaivers(
    report(results, { conforms: results.every(({ state }) => state !== 'fail'), ...change }),
    waivers,
    results,
    NOON,
  );
}

describe('a waiver', () => {
  it('of a case forgives its failure, and the reason stands with it', () => {
    const found = waived([failing('a/a'), result({ id: 'a/b' })], [{ case: 'a/a', reason: 'Ticket 42.' }]);
    expect(found).toMatchObject({ conforms: true, waivers: [{ case: 'a/a', state: 'used' }] });
    expect(found.results.map(({ state, waived: reason }) => [state, reason])).toEqual([
      ['fail', 'Ticket 42.'],
      ['pass', undefined],
    ]);
  });

  it('forgives nothing else', () => {
    const found = waived([failing('a/a'), failing('a/b')], [{ case: 'a/a', reason: 'r' }]);
    expect(found.conforms).toBe(false);
  });

  it('of a clause forgives the failure of each case that is about it', () => {
    const results = [failing('a/a', 'C-1'), failing('a/b', 'C-1'), result({ id: 'a/c', clauses: ['C-1'] })];
    expect(waived(results, [{ clause: 'C-1', reason: 'r' }])).toMatchObject({
      conforms: true,
      waivers: [{ state: 'used' }],
    });
  });

  it('of a case gives the reason where its clause is waived too', () => {
    const waivers = [
      { clause: 'BRANCH-URL-1', reason: 'of the clause' },
      { case: 'a/a', reason: 'of the case' },
    ];
    const found = waived([failing('a/a')], waivers);
    expect(found.results[0]?.waived).toBe('of the case');
    expect(found.waivers?.map(({ state }) => state)).toEqual(['used', 'used']);
  });

  it.each([[{ case: 'a/a', reason: 'r' }], [{ clause: 'BRANCH-URL-1', reason: 'r' }]])(
    'fails the run where what it names passes: %o',
    (waiver) => {
      const found = waived([result({ id: 'a/a' }), result({ id: 'a/b' })], [waiver]);
      expect(found).toMatchObject({ conforms: false, waivers: [{ state: 'stale' }] });
      expect(found.waivers?.map(waiverSentence)).toEqual([expect.stringContaining('remove it')]);
    },
  );

  it.each(['skip', 'error', 'not-observed'] as const)(
    'is not used, and fails nothing, where its case ends with %s',
    (state) => {
      const found = waived([result({ id: 'a/a', state, reason: 'r' })], [{ case: 'a/a', reason: 'r' }]);
      expect(found.waivers).toMatchObject([{ state: 'unused' }]);
      expect(found.conforms).toBe(state !== 'error');
    },
  );

  it('is not used where its case was not selected, or not every case of its clause', () => {
    const [one, other] = [result({ id: 'a/a' }), result({ id: 'a/b' })];
    const waivers = [
      { case: 'a/b', reason: 'r' },
      { clause: 'BRANCH-URL-1', reason: 'r' },
    ];
    const found = applyWaivers(report([one], { conforms: true }), waivers, [one, other], NOON);
    expect(found).toMatchObject({ conforms: true, waivers: [{ state: 'unused' }, { state: 'unused' }] });
  });

  it('counts on its last day, and not on the next', () => {
    const used = waived([failing('a/a')], [{ case: 'a/a', reason: 'r', until: '2026-06-15' }]);
    expect(used).toMatchObject({ conforms: true, waivers: [{ state: 'used' }] });
    const expired = waived([failing('a/a')], [{ case: 'a/a', reason: 'r', until: '2026-06-14' }]);
    expect(expired).toMatchObject({ conforms: false, waivers: [{ state: 'expired' }] });
    expect(expired.results[0]).not.toHaveProperty('waived');
    expect(expired.waivers?.map(waiverSentence)).toEqual([expect.stringContaining('expired on 2026-06-14')]);
  });

  it('forgives a failure of the profile where the profile is demanded', () => {
    const failure = { ...failing('a/a'), level: 'profile' } as const;
    expect(waived([failure], [], { profile: true }).conforms).toBe(false);
    expect(waived([failure], [{ case: 'a/a', reason: 'r' }], { profile: true }).conforms).toBe(true);
  });

  it('does not make a run conform that was interrupted', () => {
    const found = waived([failing('a/a')], [{ case: 'a/a', reason: 'r' }], { incomplete: true, conforms: false });
    expect(found.conforms).toBe(false);
  });
});
