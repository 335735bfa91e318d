import { beforeAll, describe, expect, it } from 'vitest';
import { clauses } from '../../clauses.ts';
import type { CaseResult } from '../../engine/result.ts';
import { libraryCases } from './cases/index.ts';
import { unseenCases } from './cases/unseen.ts';
import { findLevel } from './report.ts';
import { runSink } from './run.ts';
import { App } from './testing/app.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { FAULTS, type Fault, isFault } from './testing/fault.ts';

const faults = Object.keys(FAULTS).filter(isFault);
const judged = libraryCases.filter((one) => findLevel(one) !== 'observed' && !unseenCases.includes(one));

/** Runs wait for the network now and then. */
const AT_ONCE = 8;

async function runWith(fault: Fault | undefined): Promise<CaseResult[]> {
  const clock = new FakeClock();
  const startDriver = (): App => new App({ clock, fault });
  const { results } = await runSink({ startDriver, target: 'reference', profile: true, clock });
  return results;
}

describe('a run of the sink', () => {
  const results = new Map<Fault | undefined, CaseResult[]>();

  beforeAll(async () => {
    const left = [undefined, ...faults].values();
    const worker = async (): Promise<void> => {
      for (const fault of left) results.set(fault, await runWith(fault));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }, 240_000);

  it('lets a correct client pass every case that it judges, and sees what it only observes', () => {
    const unseen = new Set(unseenCases.map(({ id }) => id));
    const others = results.get(undefined)?.filter(({ id, state }) => !unseen.has(id) && state !== 'pass');
    expect(others).toEqual([]);
  });

  it.each(faults)('finds the fault "%s" by its own case alone', (fault) => {
    const failed = results.get(fault)?.filter(({ state }) => state === 'fail');
    expect(failed?.map(({ id, problems }) => ({ id, problems }))).toEqual([
      { id: FAULTS[fault], problems: [expect.any(String), ...(failed?.[0]?.problems?.slice(1) ?? [])] },
    ]);
  });
});

it('has a broken client for every case that is judged', () => {
  const covered = new Set<string>(Object.values(FAULTS));
  expect(judged.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
});

it('has a broken client for every clause that is judged', () => {
  const failing = new Set<string>(Object.values(FAULTS));
  const covered = new Set(libraryCases.filter(({ id }) => failing.has(id)).flatMap((one) => one.clauses));
  const missed = clauses.filter(
    ({ id, subject, level }) => subject === 'library' && level !== 'observed' && !covered.has(id),
  );
  const unseen = unseenCases.flatMap((one) => (findLevel(one) === 'required' ? one.clauses : []));
  // That of the vectors is failed by a client of their own test.
  expect(missed.map(({ id }) => id).toSorted()).toEqual([...unseen, 'INSPECTOR-PROFILE-EXTRACTION-1'].toSorted());
});
