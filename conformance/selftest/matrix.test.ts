import { type ExpectStatic, describe, it } from 'vitest';
import type { Fault } from './fault.ts';
import { faults } from './faults/index.ts';
import { errorsIn, failuresIn, isLawful, NODE_SERVERS, unexpectedSkipsIn, useServices } from './matrix.ts';
import { SHORT_TIMEOUT_MS, trySuite, trySuiteWithLeast } from './try-suite.ts';
import { variants } from './variants/index.ts';

/** Some services never answer, and many are tried at once. */
const TIME_LIMIT_MS = 180_000;

const findService = useServices(NODE_SERVERS);

describe('a lawful service conforms', { concurrent: true, timeout: TIME_LIMIT_MS }, () => {
  it.for(variants.map((variant) => [variant.name, variant] as const))('%s', async ([name, variant], { expect }) => {
    const report = await trySuite(findService(name));
    const problems = failuresIn(report).map(({ id, problems }) => ({ id, problems }));
    expect(problems, `A service that ${variant.does} is within the documents.`).toEqual([]);
    expect(errorsIn(report)).toEqual([]);
    expect(unexpectedSkipsIn(report)).toEqual([]);
    expect(report.conforms).toBe(true);
    expect(report.coverage.untried.filter(({ reasons }) => !reasons.every(isLawful))).toEqual([]);
  });
});

/** Runs the suite, and checks that each broken clause is found. */
async function expectCaught(fault: Fault, expect: ExpectStatic): Promise<void> {
  const report = await trySuite(findService(fault.name), {
    // What is missing stays so.
    settleMs: 0,
    ...(fault.exportRows === undefined ? {} : { exportRows: fault.exportRows }),
    ...(fault.neverEnds === true ? { timeoutMs: SHORT_TIMEOUT_MS } : {}),
  });
  const broken = new Set(failuresIn(report).flatMap(({ clauses }) => clauses));
  expect([...broken], `A service that ${fault.does} is not within the documents.`).toEqual(
    expect.arrayContaining([...fault.breaks]),
  );
  expect(errorsIn(report)).toEqual([]);
  expect(report.conforms).toBe(false);
}

const named = (some: readonly Fault[]): [string, Fault][] => some.map((fault) => [fault.name, fault]);
const isLarge = ({ exportRows }: Fault): boolean => exportRows !== undefined;

describe('a fault is caught, and laid to what it breaks', { concurrent: true, timeout: TIME_LIMIT_MS }, () => {
  it.for(named(faults.filter((fault) => !isLarge(fault))))('%s', ([, fault], { expect }) =>
    expectCaught(fault, expect),
  );
});

// Each has the processors for itself: it takes as many branches as can be created within a time.
describe('a fault of a large workspace is caught', { timeout: TIME_LIMIT_MS }, () => {
  it.for(named(faults.filter(isLarge)))('%s', ([, fault], { expect }) => expectCaught(fault, expect));
});

it(
  'says where it stops before there are as many branches as were asked for',
  { timeout: TIME_LIMIT_MS },
  async ({ expect }) => {
    const { results } = await trySuite(findService('correct'), { exportRows: 1_000_000 });
    const warned = results.filter(({ warnings = [] }) =>
      warnings.some((one) => /of 1000000 rows: .* not tried/.test(one)),
    );
    expect(warned.map(({ id }) => id)).toContain('export/shows-all-branches');
  },
);

describe('with the least that a run can be given', () => {
  it('a lawful service conforms, and what could not be tried is skipped with the reason', async ({ expect }) => {
    const { conforms, results } = await trySuiteWithLeast(findService('correct'));
    expect(conforms).toBe(true);
    const skipped = results.filter(({ level, state }) => level === 'required' && state === 'skip');
    expect(skipped.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['conflicts/second-account', 'statuses/Merged', 'workspaces/no-leak']),
    );
    for (const { reason } of skipped) expect(reason).toMatch(/\w+/);
  });
});
