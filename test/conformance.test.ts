// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseResult, Report } from '../conformance/engine/result.ts';
import type { SuiteOptions } from '../conformance/service/options.ts';
import { runSuite } from '../conformance/service/run.ts';
import { SCOPES } from '../server/accounts/principals.ts';
import { type Credentials, startTestServer, type TestServer } from './support/server.ts';
import { ofTest } from '../server/storage/testing/statements-of-tests.ts';

/** The whole conformance suite against our own server, with everything that a run can be given. */

let server: TestServer;
let options: SuiteOptions;
let first: Report;
let second: Report;

beforeAll(async () => {
  server = await startTestServer();
  await server.administration.workspaces.create('library');
  const elsewhere = await server.createAccount(SCOPES, 'library');
  options = {
    baseUrl: server.origin,
    workspace: server.workspaceId,
    accounts: [server.account, await accountWithColons()],
    secondWorkspace: { workspace: 'library', account: elsewhere },
    apiKey: server.apiKey,
    profile: true,
  };
  await haveBranches();
  first = await runSuite(options);
  second = await runSuite(options);
}, 600_000);
afterAll(() => server.close());

const WAYS = [
  [],
  ['ReadyForReview'],
  ['ReadyForReview', 'Approved'],
  ['ReadyForReview', 'Approved', 'Merged'],
  ['Closed'],
] as const;

/** One in every status, from before the run. */
async function haveBranches(): Promise<void> {
  for (const [index, way] of WAYS.entries()) {
    const path = `${server.workspacePath}/branches`;
    const created = await server.call({ method: 'POST', path: `${path}/v1`, json: { name: `before-${index}` } });
    const { branchId }: { branchId: string } = JSON.parse(created.text);
    for (const branchStatus of way) {
      await server.call({ method: 'PUT', path: `${path}/${branchId}/status/v1`, json: { branchStatus } });
    }
  }
}

/** Generated secrets hold none. */
async function accountWithColons(): Promise<Credentials> {
  const account = await server.createAccount();
  const secret = `with:colons:${account.secret}`;
  await ofTest(server.administration.storage).write((tx) =>
    tx
      .updateTable('service_accounts')
      .set({ secret_hash: server.hasher.hash(secret) })
      .where('account_id', '=', account.accountId)
      .execute(),
  );
  return { ...account, secret };
}

const inState = (report: Report, state: CaseResult['state']): CaseResult[] =>
  report.results.filter((result) => result.state === state);

describe('our own server', () => {
  it('conforms on every level', () => {
    const broken = [...inState(first, 'fail'), ...inState(first, 'error')];
    expect(broken.map(({ id, problems, reason }) => ({ id, problems, reason }))).toEqual([]);
    expect(first.conforms).toBe(true);
  });

  it('leaves nothing untried', () => {
    expect(inState(first, 'skip').map(({ id, reason }) => ({ id, reason }))).toEqual([]);
  });

  it('shows everything that the documents leave open and a client can see', () => {
    expect(inState(first, 'not-observed').map(({ id }) => id)).toEqual([
      'limits/higher-rates',
      'open/events',
      'open/accounts',
      'open/broken-export',
    ]);
  });

  it('gets the same verdicts from a second run', () => {
    const verdicts = (report: Report): string[] => report.results.map(({ id, state }) => `${id} ${state}`);
    expect(verdicts(second)).toEqual(verdicts(first));
  });

  it('is tried with less than 2,000 requests, repeated ones too', () => {
    expect(first.requests).toBeGreaterThan(300);
    expect(first.requests).toBeLessThan(2_000);
  });
});
