import { describe, it } from 'vitest';
import { faults } from './faults/index.ts';
import { errorsIn, failuresIn, unexpectedSkipsIn, useServices } from './matrix.ts';
import { SHORT_TIMEOUT_MS, trySuite, trySuiteWithLeast } from './try-suite.ts';
import { variants } from './variants/index.ts';

/** Some services never answer, and many are tried at once. */
const TIME_LIMIT_MS = 180_000;

const findService = useServices();

describe('a lawful service conforms', { concurrent: true, timeout: TIME_LIMIT_MS }, () => {
  it.for(variants.map((variant) => [variant.name, variant] as const))('%s', async ([name, variant], { expect }) => {
    const report = await trySuite(findService(name));
    const problems = failuresIn(report).map(({ id, problems }) => ({ id, problems }));
    expect(problems, `A service that ${variant.does} is within the documents.`).toEqual([]);
    expect(errorsIn(report)).toEqual([]);
    expect(unexpectedSkipsIn(report)).toEqual([]);
    expect(report.conforms).toBe(true);
  });
});

describe('a fault is caught, and laid to what it breaks', { concurrent: true, timeout: TIME_LIMIT_MS }, () => {
  it.for(faults.map((fault) => [fault.name, fault] as const))('%s', async ([name, fault], { expect }) => {
    const report = await trySuite(findService(name), fault.neverEnds === true ? SHORT_TIMEOUT_MS : undefined);
    const broken = new Set(failuresIn(report).flatMap(({ clauses }) => clauses));
    expect([...broken], `A service that ${fault.does} is not within the documents.`).toEqual(
      expect.arrayContaining([...fault.breaks]),
    );
    expect(errorsIn(report)).toEqual([]);
    expect(report.conforms).toBe(false);
  });
});

describe('with the least that a run can be given', () => {
  it('a lawful service conforms, and what could not be tried is skipped with the reason', async ({ expect }) => {
    const { conforms, results } = await trySuiteWithLeast(findService('correct'));
    expect(conforms).toBe(true);
    const skipped = results.filter(({ level, state }) => level === 'required' && state === 'skip');
    expect(skipped.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['conflicts/second-account', 'conflicts/Merged-frees-its-name', 'workspaces/no-leak']),
    );
    for (const { reason } of skipped) expect(reason).toMatch(/\w+/);
  });
});
