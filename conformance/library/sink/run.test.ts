import { beforeAll, describe, expect, it } from 'vitest';
import { clauses } from '../../clauses.ts';
import type { CaseResult } from '../../engine/result.ts';
import { libraryCases } from './cases/index.ts';
import { unseenCases } from './cases/unseen.ts';
import { findLevel } from './report.ts';
import { runSink } from './run.ts';
import { App } from './testing/app.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { FAULTS, type Fault } from './testing/fault.ts';

const faults = Object.keys(FAULTS).filter((name): name is keyof typeof FAULTS => Object.hasOwn(FAULTS, name));
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
  }, 900_000);

  it('lets a correct client pass every case that it judges, and sees what it only observes', () => {
    const unseen = new Set(unseenCases.map(({ id }) => id));
    const others = results.get(undefined)?.filter(({ id, state }) => !unseen.has(id) && state !== 'pass');
    // It has not the values for all of the vectors.
    const isNoSuchValue = ({ id, state }: CaseResult): boolean => id.startsWith('vectors/') && state === 'skip';
    expect(others?.filter((one) => !isNoSuchValue(one))).toEqual([]);
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

describe('a client that never tries again', () => {
  it('has its verdict in less than 90 seconds, and is said to be waited for', async () => {
    const clock = new FakeClock();
    const waits: string[] = [];
    const { results, conforms } = await runSink({
      startDriver: () => new App({ clock, fault: 'never-tries-again' }),
      target: 'reference',
      profile: true,
      clock,
      onWait: (phase, what, seconds) => waits.push(`${phase}: ${what}, ${seconds} s`),
    });
    expect(conforms).toBe(false);
    expect(clock.now()).toBeLessThan(90_000);
    expect(waits).toContain('unavailable: the library to try again, 35 s');
    const failed = results.filter(({ state }) => state === 'fail').map(({ id }) => id);
    expect(failed).toEqual(
      expect.arrayContaining(['retry/unavailable', 'retry/server-error', 'retry/reset', 'retry/truncated']),
    );
  });

  it('after some tries is waited for as long as the run says', async () => {
    const run = async (retryWaitSeconds: number | undefined): Promise<[CaseResult | undefined, number]> => {
      const clock = new FakeClock();
      const startDriver = (): App => new App({ clock, fault: 'tries-only-twice' });
      const { results } = await runSink({
        startDriver,
        target: 'reference',
        profile: true,
        clock,
        selection: { only: ['retry/unavailable'] },
        retryWaitSeconds,
      });
      return [results.find(({ id }) => id === 'retry/unavailable'), clock.now()];
    };
    const [judged, long] = await run(undefined);
    expect(judged).toMatchObject({ state: 'fail', problems: [expect.stringContaining('no other came within 310 s')] });
    expect(long).toBeGreaterThan(310_000);
    const [unjudged, short] = await run(20);
    expect(unjudged).toMatchObject({ state: 'skip', reason: expect.stringContaining('--retry-wait') });
    expect(short).toBeLessThan(60_000);
  });
});
