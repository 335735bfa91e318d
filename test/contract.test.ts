import { afterAll, beforeAll, expect, it } from 'vitest';
import cases from '../conformance/generated/cases.json' with { type: 'json' };
import contract from '../conformance/generated/contract.json' with { type: 'json' };
import type { CaseFile } from '../conformance/runner/case.ts';
import type { Prepare } from '../conformance/runner/options.ts';
import type { Result } from '../conformance/runner/result.ts';
import { runCases } from '../conformance/runner/run.ts';
import { type SignedIn, startTestServer, type TestServer } from './support/server.ts';

/** Every case that was derived from the contract, against our own server. */

let server: TestServer;
let results: Result[];
let admin: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('admin');
  results = await Array.fromAsync(
    runCases(cases as CaseFile, contract, target(), {
      path: { workspaceId: server.workspaceId },
      prepare: {
        createBranch: () => ({ body: (body) => ({ ...object(body), name: freshName() }) }),
        getBranch: async () => ({ path: { branchId: await branch() } }),
        changeBranchStatus: async (_case, body) => ({
          path: { branchId: await branchThatCanBecome(object(body)['branchStatus']) },
        }),
        addCollaborator: onAnyBranch,
        recordPublication: onAnyBranch,
        listBranchActivity: onAnyBranch,
        deleteServiceAccount: async () => ({ path: { accountId: (await server.createAccount()).accountId } }),
        deleteApiKey: async () => ({ path: { keyId: await apiKey() } }),
      },
    }),
  );
});
afterAll(() => server.close());

const target = () => ({
  baseUrl: server.origin,
  credentials: {
    serviceAccount: server.account,
    apiKey: { token: server.apiKey },
    session: { token: admin.cookie.slice(admin.cookie.indexOf('=') + 1) },
  },
});

let names = 0;
const freshName = () => `case-${(names += 1)}`;
const onAnyBranch: Prepare = async () => ({ path: { branchId: await branch() } });

function object(value: unknown): Record<string, never> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

async function branch(): Promise<string> {
  const path = `${server.workspacePath}/branches/v1`;
  const created = await server.call({ method: 'POST', path, json: { name: freshName() } });
  return JSON.parse(created.text).branchId;
}

async function apiKey(): Promise<string> {
  const wanted = { workspaceId: server.workspaceId, source: 'android-shop', samplingRate: 1 };
  const { key } = await server.administration.keys.create(wanted);
  return key.keyId;
}

async function branchThatCanBecome(status: unknown): Promise<string> {
  const branchId = await branch();
  const before = status === 'Approved' ? ['ReadyForReview'] : status === 'Merged' ? ['ReadyForReview', 'Approved'] : [];
  for (const branchStatus of before) {
    const path = `${server.workspacePath}/branches/${branchId}/status/v1`;
    await server.call({ method: 'PUT', path, json: { branchStatus } });
  }
  return branchId;
}

const inState = (state: Result['state']) => results.filter((result) => result.state === state);

it('the server keeps the contract in every case', () => {
  const broken = results.filter(({ state }) => state === 'fail' || state === 'error');
  expect(
    broken.map((result) => ({ id: result.case.id, why: 'problems' in result ? result.problems : result })),
  ).toEqual([]);
});

it('no case is skipped, and each operation has cases that pass', () => {
  expect(inState('skip').map((result) => result.case.id)).toEqual([]);
  const operations = Object.values(contract.paths).flatMap((item) =>
    Object.values(item).flatMap((one) => (typeof one === 'object' && 'operationId' in one ? [one.operationId] : [])),
  );
  const passed = new Set(inState('pass').map((result) => result.case.operationId));
  expect([...passed].toSorted()).toEqual(operations.toSorted());
});

it('a wrong method is answered with 405, although the contract has no word for it', () => {
  const observed = inState('observed');
  expect(observed.length).toBeGreaterThan(5);
  for (const result of observed)
    expect('exchange' in result && result.exchange.response?.status, result.case.id).toBe(405);
});
