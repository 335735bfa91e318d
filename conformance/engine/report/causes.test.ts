import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaseResult, Exchange } from '../result.ts';
import { describeServerError, describeUnexpectedStatus } from '../status-sentences.ts';
import { groupByCause } from './causes.ts';
import { EXCHANGE, report, result } from './testing/reports.ts';

/** A case with these problems; its last answer was one of this operation. */
function failing(id: string, problem: string, operation = 'create', change: Partial<CaseResult> = {}): CaseResult {
  const first: Exchange = { ...EXCHANGE, operation: 'another' };
  return result({ id, state: 'fail', problems: [problem], exchanges: [first, { ...EXCHANGE, operation }], ...change });
}

function group(results: readonly CaseResult[]): string[][] {
  return groupByCause(report(results)).map((cause) => cause.results.map(({ id }) => id));
}

describe('failures have one cause', () => {
  it.each<[string, string, string]>([
    [
      'an operation answers with one server error, whatever is expected',
      describeUnexpectedStatus('201', 500),
      describeUnexpectedStatus('409', 500),
    ],
    [
      'an operation answers with one server error, in an observed case too',
      describeUnexpectedStatus('201', 500),
      describeServerError(500),
    ],
    [
      'nothing is found',
      describeUnexpectedStatus(
        '201',
        404,
        '; if nothing else is found there either, --base-url or --workspace is wrong',
      ),
      describeUnexpectedStatus('400', 404),
    ],
    ['what must be refused is taken', describeUnexpectedStatus('400', 201), describeUnexpectedStatus('400', 201)],
    [
      'a value differs from case to case',
      '"branchName" must be the name that was asked for, "case-1x-2", but is "case_1x_2".',
      '"branchName" must be the name that was asked for, "case-7y-13", but is "case_7y_13".',
    ],
    [
      'a time or an id differs',
      'The row of br_01 says 2026-01-02T03:04:05Z.',
      'The row of br_02 says 2026-01-02T03:04:06Z.',
    ],
    [
      'a text that is no JSON differs',
      'The body must be a JSON object, but is no JSON: <h1>Oops</h1>.',
      'The body must be a JSON object, but is no JSON: never.',
    ],
    [
      'one type comes for another',
      'For {"map":[[{"string":"a"},{"int":"42"}]]} came (value: string), not (value: int).',
      'For {"map":[[{"string":"b"},{"int":"43"}]]} came (value: string), not (value: int).',
    ],
  ])('where %s', (_, one, other) => {
    expect(group([failing('a/a', one), failing('a/b', other)])).toEqual([['a/a', 'a/b']]);
  });

  it.each<[string, CaseResult, CaseResult]>([
    ['operation', failing('a/a', 'It is wrong.', 'create'), failing('a/b', 'It is wrong.', 'export')],
    [
      'status that came',
      failing('a/a', describeUnexpectedStatus('201', 500)),
      failing('a/b', describeUnexpectedStatus('201', 502)),
    ],
    [
      'status that was expected, where a request was looked at',
      failing('a/a', describeUnexpectedStatus('400', 201)),
      failing('a/b', describeUnexpectedStatus('409', 201)),
    ],
    [
      'field',
      failing('a/a', '"error" must be a string, but is missing.'),
      failing('a/b', '"branchId" must be a string, but is missing.'),
    ],
    ['column', failing('a/a', 'The export has no lastPublishedDate.'), failing('a/b', 'The export has no branchId.')],
    ['waiver', failing('a/a', 'It is wrong.'), failing('a/b', 'It is wrong.', 'create', { waived: 'Known.' })],
    ['weight', failing('a/a', 'It is wrong.'), failing('a/b', 'It is wrong.', 'create', { level: 'profile' })],
    [
      'fault of the test',
      failing('a/a', 'It is wrong.'),
      result({ id: 'a/b', state: 'error', reason: 'It is wrong.' }),
    ],
  ])('but not with another %s', (_, one, other) => {
    expect(group([one, other])).toHaveLength(2);
  });
});

describe('a cause', () => {
  it('says which statuses were expected, whose clauses are missed, and how to repeat it the most easily', () => {
    const long: Exchange = { ...EXCHANGE, operation: 'create', request: { ...EXCHANGE.request, body: 'x'.repeat(99) } };
    const [cause] = groupByCause(
      report([
        failing('a/c', describeUnexpectedStatus('409', 500), 'create', { clauses: ['C-2'] }),
        failing('a/b', describeUnexpectedStatus('201', 500), 'create', { clauses: ['C-1', 'C-2'] }),
        failing('a/a', describeUnexpectedStatus('201', 500), 'create', { exchanges: [long] }),
      ]),
    );
    expect(cause).toMatchObject({
      standing: 'failed',
      operation: 'create',
      problem: 'Status 500, where 201 or 409 was expected.',
      clauses: ['BRANCH-URL-1', 'C-1', 'C-2'],
      example: { id: 'a/b' },
    });
  });

  it('comes before smaller ones, and after those that count', () => {
    const small = failing('a/z', 'One.');
    const large = ['a/b', 'a/c'].map((id) => failing(id, 'Two.'));
    const waived = ['a/d', 'a/e', 'a/f'].map((id) => failing(id, 'Three.', 'create', { waived: 'Known.' }));
    expect(group([...waived, small, ...large])).toEqual([['a/b', 'a/c'], ['a/z'], ['a/d', 'a/e', 'a/f']]);
  });
});

describe('whatever the results are', () => {
  const anyProblem = fc.oneof(
    fc
      .tuple(fc.constantFrom('201', '400', '409', '2XX'), fc.constantFrom(200, 201, 400, 404, 409, 500))
      .map(([expected, status]) => describeUnexpectedStatus(expected, status)),
    fc.constantFrom('"error" must be a string, but is missing.', 'The cell is "x-1".', 'For {} came (a), not (b).'),
    fc.string(),
  );
  const anyResult = fc.record({
    state: fc.constantFrom('pass', 'fail', 'fail', 'fail', 'skip', 'error', 'not-observed'),
    level: fc.constantFrom('required', 'profile', 'observed'),
    problem: anyProblem,
    operation: fc.option(fc.constantFrom('create', 'export'), { nil: undefined }),
    body: fc.string(),
    waived: fc.boolean(),
  });
  const anyResults = fc.array(anyResult, { maxLength: 40 }).map((some) =>
    some.map(({ state, level, problem, operation, body, waived }, index): CaseResult => {
      const request = { ...EXCHANGE.request, body };
      const exchanges = operation === undefined ? [] : [{ ...EXCHANGE, operation, request }];
      return result({
        id: `case/${index}`,
        state,
        level,
        exchanges,
        ...(state === 'fail' ? { problems: [problem] } : { reason: problem }),
        ...(state === 'fail' && waived ? { waived: 'Known.' } : {}),
      });
    }),
  );

  it('each that failed is in one group, and nothing else is in any', () => {
    fc.assert(
      fc.property(anyResults, (results) => {
        const failed = results.filter(({ state }) => state === 'fail' || state === 'error').map(({ id }) => id);
        expect(group(results).flat().toSorted()).toEqual(failed.toSorted());
      }),
    );
  });

  it('their order makes no difference', () => {
    const shuffled = anyResults.chain((results) =>
      fc
        .shuffledSubarray(results, { minLength: results.length, maxLength: results.length })
        .map((shuffledResults) => [results, shuffledResults] as const),
    );
    fc.assert(
      fc.property(shuffled, ([results, others]) => {
        expect(groupByCause(report(others))).toEqual(groupByCause(report(results)));
      }),
    );
  });
});
