// @module-tag both-engines
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import contract from '../server/generated/contract.json' with { type: 'json' };
import { expiryTask } from '../server/accounts/expired.ts';
import { Workspaces } from '../server/accounts/workspaces.ts';
import { forgetBatches } from '../server/inspector/retention/retention.ts';
import { DAY_MS } from '../server/inspector/hours.ts';
import { deriveShape } from '../server/inspector/shape.ts';
import { findingIssues } from '../server/inspector/issues/finding-issues.ts';
import { SLOT_TABLES } from '../server/inspector/ingest/message-slots.ts';
import { dropVolumes } from '../server/inspector/ingest/volumes.ts';
import { findUnknownMigration } from '../server/storage/migrate.ts';
import { newDatabase, type TestDatabase, testedEngine } from '../server/storage/testing/databases.ts';
import { ofTest } from '../server/storage/testing/statements-of-tests.ts';
import { WORKSPACE_TABLES } from '../server/storage/tables.ts';
import { batchOf, eventReport } from './support/batch.ts';
import { Browser, tokenOf } from './support/browser.ts';
import { startProvider, type TestProvider } from './support/oidc-provider.ts';
import { nextBatch, watch } from './support/event-stream.ts';
import {
  type Answer,
  basic,
  type Call,
  type Credentials,
  type SignedIn,
  startTestServer,
  type TestServer,
} from './support/server.ts';
import { findListLookUps, firstStep, recordSqlite } from './support/sqlite-statements.ts';
import { checkLog } from './postgres/statements/check-log.ts';
import { LiveGuard } from './postgres/statements/live-guard.ts';
import { LockOrder } from './postgres/statements/lock-order.ts';
import { statementsTo } from './postgres/statements/own-statements.ts';

/** The id of `Checkout` without properties. */
const CHECKOUT = deriveShape('Checkout', []).id;

/** Every operation and command is used once, in two workspaces at the same moment. */

let provider: TestProvider;
let database: TestDatabase;
let server: TestServer;
let recorded: ReadonlySet<string>;
const called = new Set<string>();

beforeAll(async () => {
  provider = await startProvider();
  provider.people.set('ada', { sub: 'subject-1', email: 'ada@example.com', email_verified: true });
  database = await newDatabase();
  server = await startTestServer({ database, oidc: provider.settings });
  recorded = recordSqlite();
  await useAll();
});
afterAll(async () => {
  await server.close();
  await provider.close();
  vi.restoreAllMocks();
});

it('every operation is used', () => {
  expect([...called].toSorted()).toEqual(operationIds().toSorted());
});

if (testedEngine() === 'postgres') {
  it('every statement names one workspace, so that engines which shard PostgreSQL by it can send it to one shard', async () => {
    const { problems, statements, exemptButNotSent } = await checkLog(statementsTo(server.administration.storage), [
      new LockOrder(),
    ]);
    expect(problems.join('\n\n')).toBe('');
    expect(exemptButNotSent).toEqual([]);
    expect(statements).toBeGreaterThan(40);
  });

  it('every transaction that writes for a workspace has found it alive before, and has locked its row', async () => {
    const guard = new LiveGuard();
    const { problems } = await checkLog(statementsTo(server.administration.storage), [guard]);
    expect(problems.join('\n\n')).toBe('');
    expect(guard.unused).toEqual([]);
    const unwritten = WORKSPACE_TABLES.filter((table) => !guard.written.has(table));
    // All that is sent here was observed within the span of one table.
    expect(unwritten).toEqual(SLOT_TABLES.filter((table) => !guard.written.has(table)));
    expect(unwritten.length).toBeLessThan(SLOT_TABLES.length);
  });
}

if (testedEngine() === 'sqlite')
  it('every statement with a list of keys has SQLite find them by an index, however long the list is', () => {
    const lookUps = findListLookUps(recorded);
    expect(lookUps.length).toBeGreaterThan(20);
    for (const { text, columns } of lookUps) {
      const step = firstStep(database.location.database, text);
      for (const column of columns) expect(step, text.slice(0, 200)).toMatch(new RegExp(String.raw`\b${column}=\?`));
    }
  });

async function useAll(): Promise<void> {
  const { workspaces, accounts, keys, users, storage } = server.administration;
  await workspaces.create('bank');
  const banker = await server.createAccount(undefined, 'bank');
  const { key, text: bankKey } = await keys.create({ workspaceId: 'bank', source: 'bank-app', samplingRate: 1 });

  // What comes at the same moment is stored together.
  const both = [
    { workspace: 'shop', as: server.account, apiKey: server.apiKey, admin: await server.signIn('admin') },
    { workspace: 'bank', as: banker, apiKey: bankKey, admin: await server.signIn('admin', 'bank') },
  ];
  await Promise.all(both.map(({ workspace, as }) => useBranches(workspace, as)));
  await Promise.all(both.map(({ apiKey }) => sendBatches(apiKey)));
  await Promise.all(both.map(({ workspace, as }) => readReports(workspace, as)));
  await Promise.all(both.map(({ workspace, as, apiKey }) => watchBatches(workspace, as, apiKey)));
  for (const workspace of ['shop', 'bank']) await storage.messages?.send(workspace, 'a message');
  await Promise.all(both.map(({ admin }) => changeIssues(admin)));
  await Promise.all(both.map(({ workspace }) => usePeople(workspace)));
  await Promise.all(both.map(({ admin }) => administerCredentials(admin)));

  await workspaces.list();
  await accounts.delete('bank', banker.accountId);
  await keys.delete('bank', key.keyId);
  await users.findByEmail('bank', 'ada@example.com');
  await new Workspaces(storage, Date.now, 'another').rekey('bank');
  await workspaces.delete('bank');
  await Array.fromAsync(forgetBatches(storage, 0));
  await Array.fromAsync(expiryTask(storage, undefined).steps());
  await Array.fromAsync(dropVolumes(storage, 0));
  await sendBatches(server.apiKey, '1.5.0');
  await Array.fromAsync(findingIssues(storage, () => Date.now() + 2 * DAY_MS).steps());
  await Array.fromAsync(storage.rateLimiter().forget());
  // All are full by then.
  await Array.fromAsync(storage.rateLimiter(() => Date.now() + DAY_MS).forget());
  await storage.messages?.forget();
  expect(await findUnknownMigration(storage.db)).toBe(undefined);
}

async function call(operation: string, request: Call): Promise<unknown> {
  const answer = await server.call(request);
  expect(answer.status, operation).toBeLessThan(300);
  called.add(operation);
  return answer.text.startsWith('{') ? answer.json() : undefined;
}

async function useBranches(workspace: string, as: Credentials): Promise<void> {
  const path = `/workspaces/${workspace}/branches`;
  const post = { method: 'POST', as };
  const [created] = await Promise.all(
    ['one', 'two', 'three'].map((name) => call('createBranch', { ...post, path: `${path}/v1`, json: { name } })),
  );
  const { branchId } = created as { branchId: string };
  const branch = `${path}/${branchId}`;
  const taken = await server.call({ ...post, path: `${path}/v1`, json: { name: 'not valid: two' } });
  expect(taken.status).toBe(400);
  await call('getBranch', { as, path: `${branch}/v1` });
  for (const branchStatus of ['ReadyForReview', 'Closed', 'Draft']) {
    await call('changeBranchStatus', { method: 'PUT', as, path: `${branch}/status/v1`, json: { branchStatus } });
  }
  const collaborator = { collaboratorEmail: 'grace@example.com' };
  await call('addCollaborator', { ...post, path: `${branch}/collaborators/v1`, json: collaborator });
  await call('recordPublication', { ...post, path: `${branch}/publications/v1`, json: {} });
  const page = (await call('listBranches', { as, path: `${path}/v1?limit=1` })) as { nextCursor: string };
  const next = `limit=1&cursor=${page.nextCursor}`;
  await call('listBranches', { as, path: `${path}/v1?${next}` });
  const filters = [
    'branchStatus=Draft&branchStatus=Closed',
    'branchCreatorId=nobody',
    'text=one&collaboratorEmail=a@b',
  ];
  for (const filter of filters) await call('listBranches', { as, path: `${path}/v1?sort=newest&${filter}` });
  await call('countBranches', { as, path: `${path}/counts/v1` });
  await call('listBranchActivity', { as, path: `${branch}/activity/v1?limit=1` });
  await call('exportBranchStats', { as, path: `${path}/export/v1` });
  await call('exportBranchStatsFromSamplePath', { as, path: `/workspaces/${workspace}/export/v1` });
}

/** People come, sign in each way, and go. */
async function usePeople(workspace: string): Promise<void> {
  const { users } = server.administration;
  const path = `/workspaces/${workspace}`;
  const password = 'correct horse battery staple';
  const { token } = await users.createOpenLink(workspace, 'admin');
  await call('checkSignInLink', {
    method: 'POST',
    path: `${path}/sign-in-links/check/v1`,
    as: null,
    headers: { 'sec-fetch-site': 'same-origin' },
    json: { token },
  });
  const own = new Browser(server);
  await signedIn(own.signIn({ token, email: 'ada@example.com', password }, workspace));
  await signedIn(own.signIn({ email: 'ada@example.com', password }, workspace));
  await call('getSignInWays', { path: '/sign-in-ways/v1', as: null });
  for (let times = 0; times < 2; times += 1) {
    const query = await own.visitProvider(provider, 'ada', workspace);
    await signedIn(own.finishOidcSignIn(query, workspace), ['beginOidcSignIn', 'finishOidcSignIn']);
  }
  const as = null;
  const headers = { cookie: own.cookie ?? '' };
  const json = { email: 'eve@example.com', role: 'viewer' };
  const added = (await call('inviteUser', { method: 'POST', path: `${path}/users/v1`, as, headers, json })) as {
    user: { userId: string };
    signInLink: { signInUrl: string };
  };
  const eve = `${path}/users/${added.user.userId}`;
  await signedIn(new Browser(server).signIn({ token: tokenOf(added.signInLink.signInUrl), password }, workspace));
  await call('changeUserRole', { method: 'PUT', path: `${eve}/role/v1`, as, headers, json: { role: 'admin' } });
  await call('changeUserRole', { method: 'PUT', path: `${eve}/role/v1`, as, headers, json: { role: 'editor' } });
  await call('createSignInLink', { method: 'POST', path: `${eve}/sign-in-links/v1`, as, headers });
  for (const [operation, list] of Object.entries({ listUsers: 'users', listAuditLines: 'audit' })) {
    const page = (await call(operation, { path: `${path}/${list}/v1?limit=1`, as, headers })) as { nextCursor: string };
    await call(operation, { path: `${path}/${list}/v1?limit=1&cursor=${page.nextCursor}`, as, headers });
  }
  await call('removeUser', { method: 'DELETE', path: `${eve}/v1`, as, headers });
  // So long ago that the next use is noted.
  await ofTest(server.administration.storage).write((tx) =>
    tx
      .updateTable('sessions')
      .set({ last_used_at: Date.now() - DAY_MS })
      .where('workspace_id', '=', workspace)
      .execute(),
  );
  await call('listSessions', { path: '/sessions/v1', as, headers });
  await call('getSession', { path: `${path}/sessions/current/v1`, as, headers });
  await call('endSession', { method: 'DELETE', path: `${path}/sessions/current/v1`, as, headers });
}

async function signedIn(answer: Promise<Answer>, by = ['createSession']): Promise<void> {
  expect((await answer).status).toBe(201);
  for (const operation of by) called.add(operation);
}

async function administerCredentials({ workspaceId, cookie }: SignedIn): Promise<void> {
  const by = { as: null, headers: { cookie } };
  const accounts = `/workspaces/${workspaceId}/service-accounts`;
  const keys = `/workspaces/${workspaceId}/api-keys`;
  const json = { name: 'ci', email: 'ci@example.com' };
  const { serviceAccount } = (await call('createServiceAccount', {
    ...by,
    method: 'POST',
    path: `${accounts}/v1`,
    json,
  })) as { serviceAccount: { accountId: string } };
  const { apiKey } = (await call('createApiKey', {
    ...by,
    method: 'POST',
    path: `${keys}/v1`,
    json: { source: 'app' },
  })) as { apiKey: { keyId: string } };
  for (const [operation, path] of [
    ['listServiceAccounts', accounts],
    ['listApiKeys', keys],
  ] as const) {
    const page = (await call(operation, { ...by, path: `${path}/v1?limit=1` })) as { nextCursor: string };
    await call(operation, { ...by, path: `${path}/v1?cursor=${page.nextCursor}` });
  }
  await call('deleteServiceAccount', { ...by, method: 'DELETE', path: `${accounts}/${serviceAccount.accountId}/v1` });
  await call('deleteApiKey', { ...by, method: 'DELETE', path: `${keys}/${apiKey.keyId}/v1` });
}

/** One event is of two types, and one is sent twice. */
async function sendBatches(apiKey: string, version = '1.4.0'): Promise<void> {
  const twice = eventReport('Checkout', []);
  const app = { id: 'com.example.shop', name: 'Shop', version };
  const batches = [
    batchOf([twice, eventReport('Paid', [{ name: 'price', type: 'int' }])], { app }),
    batchOf([twice, eventReport('Paid', [{ name: 'price', type: 'string' }])], { app }),
  ];
  const { messageId, eventName, observedAt } = twice;
  const byId = batchOf([{ messageId, eventName, observedAt, shapeId: CHECKOUT }], { app });
  for (const batch of [...batches, ...batches, byId]) {
    await call('ingestBatch', {
      method: 'POST',
      path: '/inspector/batches/v1',
      as: null,
      json: batch,
      headers: { 'api-key': apiKey },
    });
  }
}

async function readReports(workspace: string, as: Credentials): Promise<void> {
  await call('getInspectorBudget', { as, path: `/workspaces/${workspace}/inspector/budget/v1` });
  const reports = { listObservedEvents: 'events', listObservedShapes: 'shapes', listTypeConflicts: 'conflicts' };
  for (const [operation, name] of Object.entries(reports)) {
    const path = `/workspaces/${workspace}/inspector/${name}/v1`;
    for (const query of ['', '?limit=1', '?eventName=Paid&environment=prod&appVersion=1.4.0']) {
      await call(operation, { as, path: `${path}${query}` });
    }
  }
  await readEventReports(workspace, as);
}

async function watchBatches(workspace: string, as: Credentials, apiKey: string): Promise<void> {
  const stream = await watch(server.origin, workspace, { authorization: basic(as) });
  await sendBatches(apiKey);
  expect(await nextBatch(stream)).toMatchObject({ accepted: 2 });
  stream.close();
  called.add('watchBatches');
}

async function changeIssues({ workspaceId, cookie }: SignedIn): Promise<void> {
  const by = { as: null, headers: { cookie } };
  const path = `/workspaces/${workspaceId}/inspector/issues`;
  for (const query of ['', '?eventName=Paid&text=pa', '?source=android-shop&environment=prod&limit=1']) {
    await call('listIssues', { ...by, path: `${path}/v1${query}` });
  }
  const { issues } = (await call('listIssues', { ...by, path: `${path}/v1?kind=typeConflict` })) as {
    issues: { issueId: string }[];
  };
  const issue = `${path}/${issues[0]?.issueId}/state/v1`;
  await call('changeIssueState', { ...by, method: 'PUT', path: issue, json: { state: 'resolved' } });
}

async function readEventReports(workspace: string, as: Credentials): Promise<void> {
  const path = `/workspaces/${workspace}/inspector`;
  for (const query of [
    '',
    '?limit=1',
    '?text=pa&conflicting=true&withIssues=true',
    '?source=android-shop&environment=prod',
    '?appVersion=1.4.0',
  ]) {
    await call('listEventSummaries', { as, path: `${path}/event-summaries/v1${query}` });
  }
  for (const query of ['', '&appVersion=1.4.0&limit=1']) {
    await call('listEventProperties', { as, path: `${path}/properties/v1?eventName=Paid${query}` });
  }
  for (const query of ['', '?step=hour&split=appVersion', '?eventName=Paid&split=source&environment=prod']) {
    await call('getEventVolume', { as, path: `${path}/volume/v1${query}` });
  }
}

function operationIds(): string[] {
  return Object.values(contract.paths).flatMap((path) =>
    Object.values(path).flatMap((operation: unknown) =>
      typeof operation === 'object' && operation !== null && 'operationId' in operation
        ? [String(operation.operationId)]
        : [],
    ),
  );
}
