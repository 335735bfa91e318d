import { type Service, type ServiceOptions, listen } from '../../../selftest/service/listen.ts';
import { faults } from '../../../selftest/faults/index.ts';
import type { CaseResult, Coverage, Exchange, Report } from '../../result.ts';
import type { SuiteOptions } from '../../../service/options.ts';
import { runSuite } from '../../../service/run.ts';

export const EXCHANGE: Exchange = {
  request: {
    method: 'POST',
    url: 'https://api.example/workspaces/demo/branches/v1',
    headers: [
      ['authorization', 'Basic <BRANCHLINE_ACCOUNT>'],
      ['content-type', 'application/json'],
    ],
    body: '{"name":"a-branch"}',
  },
  response: { status: 500, httpVersion: '1.1', headers: [['x-kind', 'odd']], body: 'Oops.', milliseconds: 7 },
};

export function result(change: Partial<CaseResult> = {}): CaseResult {
  return {
    id: 'creation/url',
    clauses: ['BRANCH-URL-1'],
    level: 'required',
    title: 'The URL has the documented form.',
    state: 'pass',
    exchanges: [],
    milliseconds: 12,
    ...change,
  };
}

/** One of each kind that a report tells apart. */
export const ONE_OF_EACH: readonly CaseResult[] = [
  result(),
  result({ id: 'creation/fields', state: 'fail', problems: ['It is wrong.', 'It is odd.'], exchanges: [EXCHANGE] }),
  result({ id: 'creation/waived', state: 'fail', problems: ['It is known.'], waived: 'Ticket 42.' }),
  result({ id: 'creation/skipped', state: 'skip', reason: 'Needs a second account.' }),
  result({ id: 'creation/error', state: 'error', reason: 'TypeError: no such thing' }),
  result({
    id: 'profile/head',
    clauses: ['PROFILE-FOREIGN-1'],
    level: 'profile',
    state: 'fail',
    problems: ['No HEAD.'],
  }),
  result({ id: 'open/form', clauses: ['PROFILE-ACCOUNTS-1'], level: 'observed', saw: 'Status 201.' }),
  result({
    id: 'open/size',
    clauses: ['PROFILE-ACCOUNTS-1'],
    level: 'observed',
    state: 'not-observed',
    reason: 'Nothing.',
  }),
];

export function report(results: readonly CaseResult[] = ONE_OF_EACH, change: Partial<Report> = {}): Report {
  return {
    tool: { name: 'branchline-conformance', version: '1.2.3' },
    contract: { sha256: 'ab'.repeat(32) },
    target: { baseUrl: 'https://api.example/', workspace: 'demo', accounts: 1 },
    startedAt: '2026-01-02T03:04:05.678Z',
    milliseconds: 1_234,
    requests: 56,
    profile: false,
    results: [...results],
    coverage: { demanded: 61, untried: [] },
    conforms: false,
    ...change,
  };
}

/** Two clauses that need what the run was not given. */
export const PARTIAL: Coverage = {
  demanded: 61,
  untried: ['EXPORT-COLUMN-branchMergedDate', 'EXPORT-COLUMN-branchMergedUserEmail'].map((clause) => ({
    clause,
    reasons: ['Needs branches in other statuses: --seed-command.'],
  })),
};

/** Each text of a report changed; what is no free text stays. */
export function withTexts(change: (text: string) => string): Report {
  const exchange: Exchange = {
    request: {
      method: 'POST',
      url: change('https://api.example/'),
      headers: [[change('x'), change('y')]],
      body: change('z'),
    },
    response: {
      status: 200,
      httpVersion: '1.1',
      headers: [[change('x'), change('y')]],
      body: change('z'),
      milliseconds: 1,
    },
    problem: change('broken'),
  };
  const texts = { title: change('title'), reason: change('reason'), exchanges: [exchange] };
  const results = ONE_OF_EACH.map((one) => ({
    ...one,
    ...texts,
    ...(one.problems === undefined ? {} : { problems: one.problems.map(change) }),
    ...(one.saw === undefined ? {} : { saw: change(one.saw) }),
    ...(one.waived === undefined ? {} : { waived: change(one.waived) }),
  }));
  return report(results, {
    target: { baseUrl: change('https://api.example/'), workspace: change('demo'), accounts: 1 },
    waivers: [{ case: 'creation/waived', reason: change('known'), state: 'used' }],
  });
}

/** A real run against the independent service, correct but for what is changed. */
export async function realReport(options: ServiceOptions = {}, change: Partial<SuiteOptions> = {}): Promise<Report> {
  const service = await listen(options);
  try {
    return await runSuite({ ...optionsFor(service), ...change });
  } finally {
    await service.close();
  }
}

export function faultNamed(wanted: string): ServiceOptions {
  const fault = faults.find(({ name }) => name === wanted);
  if (fault === undefined) throw new Error(`There is no fault ${wanted}.`);
  return { change: fault.change() };
}

export function optionsFor({ origin, accounts }: Service): SuiteOptions {
  const [first, second] = accounts;
  if (first === undefined || second === undefined) throw new Error('The service has no two accounts.');
  return { baseUrl: `${origin}/`, workspace: first.workspaceId, accounts: [first, second] };
}
