import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CouldNotRun } from '../could-not-run.ts';
import { onFields, onReply } from '../selftest/fault.ts';
import { correct } from '../selftest/service/behaviour.ts';
import { type Service, type ServiceOptions, listen } from '../selftest/service/listen.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import type { SuiteOptions } from './options.ts';
import { runSuite } from './run.ts';
import { estimateSeconds, selectCases } from './selection.ts';

const open: Service[] = [];
afterEach(() => Promise.all(open.splice(0).map((service) => service.close())));

async function started(options: ServiceOptions = {}): Promise<Service> {
  const service = await listen(options);
  open.push(service);
  return service;
}

function optionsFor({ origin, accounts }: Service, change: Partial<SuiteOptions> = {}): SuiteOptions {
  const account = accounts[0] ?? { name: '', secret: '', workspaceId: '' };
  const { name, secret, workspaceId } = account;
  return { baseUrl: `${origin}/`, workspace: workspaceId, accounts: [{ name, secret }], ...change };
}

const named = ({ results }: Report, id: string): CaseResult | undefined => results.find((result) => result.id === id);

describe('a run that is given the least', () => {
  let service: Service;
  let report: Report;
  beforeAll(async () => {
    service = await listen();
    report = await runSuite(optionsFor(service));
  });
  afterAll(() => service.close());

  it('conforms, and its report says what it was about', () => {
    expect(report).toMatchObject({
      conforms: true,
      profile: false,
      target: { baseUrl: `${service.origin}/`, workspace: 'north', accounts: 1 },
      requests: service.requests(),
    });
  });

  it('passes nothing that it could not try, and says what it would need', () => {
    expect(named(report, 'workspaces/no-leak')).toMatchObject({
      state: 'skip',
      reason: expect.stringContaining('--second-workspace'),
    });
    expect(named(report, 'conflicts/second-account')).toMatchObject({
      state: 'skip',
      reason: expect.stringContaining('--account'),
    });
    expect(named(report, 'conflicts/Closed-frees-its-name')).toMatchObject({
      state: 'skip',
      reason: expect.stringContaining('--seed-command'),
    });
    expect(named(report, 'statuses/Merged')).toMatchObject({ state: 'skip' });
    expect(named(report, 'limits/per-account')).toMatchObject({ state: 'not-observed' });
  });

  it('judges nothing that the documents leave open', () => {
    const judged = report.results.filter(
      ({ level, state }) => level === 'observed' && !['pass', 'not-observed'].includes(state),
    );
    expect(judged.map(({ id }) => id)).toEqual([]);
    expect(named(report, 'open/first-status')?.saw).toBe('Draft.');
  });

  it('shows the evidence without the secret', () => {
    const [exchange] = named(report, 'creation/fields')?.exchanges ?? [];
    expect(exchange?.request).toMatchObject({ method: 'POST', body: expect.stringContaining('"name"') });
    expect(exchange?.response).toMatchObject({ status: 201 });
    expect(JSON.stringify(report)).not.toContain(service.accounts[0]?.secret);
  });

  it('takes as many requests as it was estimated to take', () => {
    const lanes = selectCases({}).flatMap(({ cost, needs = [] }) => (needs.length > 0 ? [] : Object.entries(cost)));
    const creations = lanes.filter(([lane]) => lane === 'first create').reduce((sum, [, count]) => sum + count, 0);
    expect(creations / estimateSeconds(selectCases({}), 1)).toBeGreaterThan(0.85);
    const all = lanes.reduce((sum, [, count]) => sum + count, 0);
    expect(Math.abs(report.requests - all) / all).toBeLessThan(0.05);
  });
});

describe('a run', () => {
  it('misses no branch in an export that was on its way when the branch was created', async () => {
    const service = await started({
      change: {
        deliver: (reply, response, call) =>
          void setTimeout(() => correct.deliver(reply, response, call), reply.kind === 'exported' ? 100 : 0),
      },
    });
    const report = await runSuite(optionsFor(service, { settleMs: 0 }));
    expect(named(report, 'export/shows-all-branches')).toMatchObject({ state: 'pass' });
  });

  it('keeps to the rate that it is given', async () => {
    const times: number[] = [];
    const service = await started({ change: { limit: () => void times.push(performance.now()) } });
    const began = performance.now();
    await runSuite(optionsFor(service, { rate: 20, selection: { only: ['creation/name-*'] } }));
    expect(times.length).toBeGreaterThan(7);
    // From its beginning on: however late a request comes, none is sent before its time.
    const gaps = times.slice(2).map((time, index) => (time - began) / (index + 1));
    expect(Math.min(...gaps)).toBeGreaterThan(45);
  });

  it('tries only what it is told to, by case or by clause, and says that it was not all', async () => {
    const service = await started();
    const byCase = await runSuite(optionsFor(service, { selection: { only: ['creation/url'] } }));
    expect(byCase.results.map(({ id }) => id)).toEqual(['creation/url']);
    expect(byCase.selection).toEqual({ only: ['creation/url'] });
    const byClause = await runSuite(optionsFor(service, { selection: { only: ['BRANCH-URL-1'] } }));
    expect(byClause.results.map(({ id }) => id)).toEqual(['creation/url', 'workspaces/url']);
  });

  it('sends the headers that it is given with each request, and keeps what sounds secret out of the report', async () => {
    const came: unknown[] = [];
    const service = await started({
      change: { limit: ({ headers }) => void came.push([headers['x-gateway-key'], headers['x-tenant']]) },
    });
    const headers: [string, string][] = [
      ['X-Gateway-Key', 'hush-hush-hush'],
      ['x-tenant', 'north'],
    ];
    const report = await runSuite(optionsFor(service, { headers, selection: { only: ['creation/url'] } }));
    expect(new Set(came.map(String))).toEqual(new Set(['hush-hush-hush,north']));
    expect(report.results[0]?.exchanges[0]?.request.headers).toEqual(
      expect.arrayContaining([
        ['X-Gateway-Key', '<X_GATEWAY_KEY_HEADER>'],
        ['x-tenant', 'north'],
      ]),
    );
    expect(JSON.stringify(report)).not.toContain('hush-hush');
  });

  it('tries again what is answered with 429', async () => {
    let count = 0;
    const limited = { kind: 'limited', status: 429, headers: { 'retry-after': '0' }, body: '' } as const;
    const service = await started({ change: { limit: () => ((count += 1) % 2 === 0 ? limited : undefined) } });
    const report = await runSuite(optionsFor(service, { selection: { only: ['creation/url'] } }));
    expect(report.results).toMatchObject([{ state: 'pass' }]);
  });

  it('asks an operation that never answers no more, and still ends', async () => {
    const service = await started({ change: { deliver: () => {} } });
    const report = await runSuite(optionsFor(service, { timeoutMs: 100 }));
    expect(report.conforms).toBe(false);
    expect(report.results.filter(({ state }) => state === 'error')).toEqual([]);
    expect(named(report, 'creation/url')).toMatchObject({ state: 'skip', reason: expect.stringContaining('Not sent') });
    expect(named(report, 'creation/ids-differ')).toMatchObject({
      state: 'fail',
      problems: [expect.stringContaining('0.1 s')],
    });
  });
});

describe('what the documents leave open fails all the same', () => {
  it('where the answer is a server error', async () => {
    const change = onReply('created', ({ body }) =>
      String(Object(body).branchName).length > 200 ? { status: 500 } : {},
    );
    const report = await runSuite(optionsFor(await started({ change }), { selection: { only: ['open/name-length'] } }));
    expect(report).toMatchObject({
      conforms: false,
      results: [
        { level: 'observed', state: 'fail', problems: [expect.stringContaining('Status 500 is a server error')] },
      ],
    });
  });

  it.each([
    ['another name', ({ branchName }: Record<string, unknown>) => ({ branchName: `${branchName}`.replace('--', '-') })],
    ['without an id', () => ({ branchId: undefined })],
  ])('where a branch is created under %s', async (_, fields) => {
    const service = await started({ change: onFields('created', fields) });
    const report = await runSuite(optionsFor(service, { selection: { only: ['open/name-double-hyphen'] } }));
    expect(report).toMatchObject({ conforms: false, results: [{ level: 'observed', state: 'fail' }] });
  });
});

describe('a run ends before it begins', () => {
  it('where nobody listens', async () => {
    const service = await listen();
    await service.close();
    await expect(runSuite(optionsFor(service))).rejects.toThrow(
      /could not be reached \(ECONNREFUSED\)\. Is --base-url right/,
    );
  });

  it.each([
    ['name', { name: 'nobody', secret: 'x' }],
    ['secret', { name: 'release-bot', secret: 'wrong' }],
  ])('where the %s of the first account is wrong', async (_, account) => {
    const service = await started();
    const run = runSuite(optionsFor(service, { accounts: [account] }));
    await expect(run).rejects.toThrow(CouldNotRun);
    await expect(run).rejects.toThrow('Are name, secret and workspace right?');
  });
});
