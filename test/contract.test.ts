// @module-tag both-engines
import { afterAll, beforeAll, expect, it } from 'vitest';
import cases from '../conformance/generated/cases.json' with { type: 'json' };
import contract from '../conformance/generated/contract.json' with { type: 'json' };
import type { Json } from '../contract/json.ts';
import type { Case, CaseFile } from '../contract/cases/case.ts';
import type { Prepare } from '../conformance/derived/options.ts';
import type { Prepared } from '../conformance/derived/request.ts';
import type { CaseResult } from '../conformance/engine/result.ts';
import { runDerivedCases } from '../conformance/derived/run.ts';
import { Passwords } from '../server/accounts/passwords.ts';
import { ofTest } from '../server/storage/testing/statements-of-tests.ts';
import { Browser } from './support/browser.ts';
import { startProvider, type TestProvider } from './support/oidc-provider.ts';
import { startTestServer, type TestServer } from './support/server.ts';

/** Every case that was derived from the contract, against our own server. */

const OPERATIONS = Object.values(contract.paths).flatMap((item) =>
  Object.values(item).flatMap((one) => (typeof one === 'object' && 'operationId' in one ? [one.operationId] : [])),
);

let provider: TestProvider;
let server: TestServer;
let results: CaseResult[];
/** Of an admin; what one case uses up has its own. */
let session: string;

beforeAll(async () => {
  provider = await startProvider();
  provider.people.set('ada', { sub: 'subject-1', email: 'ada@example.com', email_verified: true });
  server = await startTestServer({ oidc: provider.settings });
  const { users } = server.administration;
  await users.invite({ workspaceId: server.workspaceId, email: 'ada@example.com', role: 'editor', by: undefined });
  const { cookie } = await server.signIn('admin');
  session = cookie.replace(/^branchline-session=/, '');
  results = await Array.fromAsync(
    runDerivedCases(cases as CaseFile, contract, target(), {
      path: { workspaceId: server.workspaceId },
      prepare: byOurPage({
        createBranch: () => ({ body: (body) => ({ ...object(body), name: freshName() }) }),
        getBranch: async () => ({ path: { branchId: await branch() } }),
        changeBranchStatus: async (_case, body) => ({
          path: { branchId: await branchThatCanBecome(object(body)) },
        }),
        addCollaborator: onAnyBranch,
        recordPublication: onAnyBranch,
        checkSignInLink: (_case, body) => inOwnWorkspace(body),
        createSession: (_case, body) => inOwnWorkspace(body),
        finishOidcSignIn: backFromProvider,
        endSession: byOneself,
        inviteUser: async (one) => ({
          ...(await byOneself(one)),
          body: (body) => ({ ...object(body), email: `${freshName()}@example.com` }),
        }),
        changeUserRole: onSomebody,
        createSignInLink: onSomebody,
        removeUser: onSomebody,
        listBranchActivity: onAnyBranch,
        deleteServiceAccount: async () => ({ path: { accountId: (await server.createAccount()).accountId } }),
        changeIssueState: async () => ({ path: { issueId: await issue() } }),
        deleteApiKey: async () => ({ path: { keyId: await apiKey() } }),
      }),
    }),
  );
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

const target = () => ({
  baseUrl: server.origin,
  credentials: { serviceAccount: server.account, apiKey: { token: server.apiKey }, session: { token: session } },
});

let names = 0;
const freshName = () => `case-${(names += 1)}`;
const onAnyBranch: Prepare = async () => ({ path: { branchId: await branch() } });

/** Has every request say what a browser says of those that a page of ours makes. */
function byOurPage(hooks: Record<string, Prepare>): Record<string, Prepare> {
  return Object.fromEntries(
    OPERATIONS.map((id) => [
      id,
      async (...asked) => {
        const prepared = await hooks[id]?.(...asked);
        if (prepared !== undefined && 'skip' in prepared) return prepared;
        return { ...prepared, headers: { 'sec-fetch-site': 'same-origin', ...prepared?.headers } };
      },
    ]),
  );
}

/** In a browser that has begun, with what the provider sent back. */
async function backFromProvider(): Promise<Prepared> {
  const browser = new Browser(server);
  const callbackQuery = await browser.visitProvider(provider, 'ada');
  return { headers: { cookie: browser.cookie ?? '' }, body: (body) => ({ ...object(body), callbackQuery }) };
}

/** By an admin of its own, whose session it may end and whose rate it has for itself. */
async function byOneself({ request }: Case): Promise<Prepared> {
  return request.authentication === 'valid' ? { headers: { cookie: (await server.signIn('admin')).cookie } } : {};
}

const onSomebody: Prepare = async (one) => ({
  ...(await byOneself(one)),
  path: { userId: (await server.signIn('viewer')).userId },
});

/** A workspace where what is sent lets somebody in: a link with the token, or a person with the e-mail and the password. */
async function inOwnWorkspace(body: Json | undefined): Promise<Prepared> {
  const { token, email, password } = object(body);
  const workspaceId = freshName();
  await server.administration.workspaces.create(workspaceId);
  const isJoin = token !== undefined && email !== undefined;
  const person = {
    workspace_id: workspaceId,
    user_id: 'ada',
    email: 'ada@example.com',
    email_key: String(email ?? 'ada@example.com').toLowerCase(),
    role: 'editor',
    password_hash: token === undefined && typeof password === 'string' ? await passwords.hash(password, '') : null,
    created_at: Date.now(),
    last_sign_in_at: null,
  };
  const link = {
    workspace_id: workspaceId,
    token_hash: server.hasher.hash(String(token)),
    user_id: isJoin ? null : 'ada',
    role: isJoin ? 'editor' : null,
    expires_at: Date.now() + 600_000,
  };
  await ofTest(server.administration.storage).write(async (tx) => {
    if (!isJoin) await tx.insertInto('users').values(person).execute();
    await tx.insertInto('sign_in_links').values(link).execute();
  });
  return { path: { workspaceId } };
}

const passwords = new Passwords();

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

/** One that is open. */
async function issue(): Promise<string> {
  const issue_id = freshName();
  const at = Date.now();
  const row = {
    workspace_id: server.workspaceId,
    issue_id,
    kind: 'nameVariant',
    event_key: 'paid',
    path_key: '',
    event_name: 'paid',
    path: '[]',
    source: 'android-shop',
    environment: 'prod',
    app_version: '1.4.0',
    compared_with: 'Paid',
    state: 'open',
    first_seen: at,
    last_seen: at,
    raised_at: at,
    changed_at: null,
    changed_by: null,
  } as const;
  await ofTest(server.administration.storage).write((tx) => tx.insertInto('issues').values(row).execute());
  return issue_id;
}

/** Where the request says which status it saw, the branch has the one that it asks for: then any other may have been seen. */
async function branchThatCanBecome({ branchStatus: status, fromStatus }: Record<string, unknown>): Promise<string> {
  const branchId = await branch();
  const before = status === 'Approved' ? ['ReadyForReview'] : status === 'Merged' ? ['ReadyForReview', 'Approved'] : [];
  for (const branchStatus of fromStatus === undefined ? before : [...before, status]) {
    const path = `${server.workspacePath}/branches/${branchId}/status/v1`;
    await server.call({ method: 'PUT', path, json: { branchStatus } });
  }
  return branchId;
}

const inState = (state: CaseResult['state']) =>
  results.filter((result) => result.state === state && result.level !== 'observed');

it('the server keeps the contract in every case', () => {
  const broken = results.filter(({ state }) => state === 'fail' || state === 'error');
  expect(broken.map((result) => ({ id: result.id, why: result.problems ?? result }))).toEqual([]);
});

it('no case is skipped, and each operation has cases that pass', () => {
  expect(inState('skip').map((result) => result.id)).toEqual([]);
  const passed = new Set(inState('pass').map(({ id }) => id.split('/')[0]));
  expect([...passed].toSorted()).toEqual(OPERATIONS.toSorted());
});

it('a wrong method is answered with 405, although the contract has no word for it', () => {
  const tried = results.filter(({ id }) => id.includes('/method/'));
  expect(tried.length).toBeGreaterThan(5);
  for (const result of tried) expect(result.exchanges.at(-1)?.response?.status, result.id).toBe(405);
});
