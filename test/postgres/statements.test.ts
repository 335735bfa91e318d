import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import contract from '../../server/generated/contract.json' with { type: 'json' };
import { forgetSomeBatches } from '../../server/inspector/forget.ts';
import { dropSomeVolumes } from '../../server/inspector/volumes.ts';
import { readStatements } from '../../server/storage/testing/statement-log.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { type Call, type Credentials, startTestServer, type TestServer } from '../support/server.ts';
import { checkLog } from './statements/check-log.ts';

/** That engines which shard PostgreSQL by workspace can send every statement of a request to one shard. */

let server: TestServer;
const called = new Set<string>();

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('every statement of every operation and command names one workspace', async () => {
  const { workspaces, accounts, keys, storage } = server.administration;
  await workspaces.create('bank');
  const banker = await server.createAccount(undefined, 'bank');
  const { key, text: bankKey } = await keys.create({ workspaceId: 'bank', source: 'bank-app', samplingRate: 1 });

  // What comes at the same moment is stored together.
  const both = [
    { workspace: 'shop', as: server.account, apiKey: server.apiKey },
    { workspace: 'bank', as: banker, apiKey: bankKey },
  ];
  await Promise.all(both.map(({ workspace, as }) => useBranches(workspace, as)));
  await Promise.all(both.map(({ apiKey }) => sendBatches(apiKey)));
  await Promise.all(both.map(({ workspace, as }) => readReports(workspace, as)));
  expect([...called].toSorted()).toEqual(operationIds().toSorted());

  await workspaces.list();
  await accounts.list('bank');
  await keys.list('bank');
  await accounts.delete('bank', banker.accountId);
  await keys.delete('bank', key.keyId);
  await workspaces.rekey('bank');
  await workspaces.delete('bank');
  await forgetSomeBatches(storage, 0);
  await dropSomeVolumes(storage, 0);
  await storage.rateLimiter().forget();
  await storage.rateLimiter(Date.now).forget();

  const { problems, statements, exemptButNotSent } = await checkLog(ownStatements());
  expect(problems.join('\n\n')).toBe('');
  expect(exemptButNotSent).toEqual([]);
  expect(statements).toBeGreaterThan(40);
});

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
  await call('listBranches', { as, path: `${path}/v1?branchStatus=Draft&branchStatus=Closed` });
  await call('exportBranchStats', { as, path: `${path}/export/v1` });
  await call('exportBranchStatsFromSamplePath', { as, path: `/workspaces/${workspace}/export/v1` });
}

/** One event is of two types, and one is sent twice. */
async function sendBatches(apiKey: string): Promise<void> {
  const twice = eventReport('Checkout', []);
  const batches = [
    batchOf([twice, eventReport('Paid', [{ name: 'price', type: 'int' }])]),
    batchOf([twice, eventReport('Paid', [{ name: 'price', type: 'string' }])]),
  ];
  for (const batch of [...batches, ...batches]) {
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

async function readEventReports(workspace: string, as: Credentials): Promise<void> {
  const path = `/workspaces/${workspace}/inspector`;
  for (const query of [
    '',
    '?limit=1',
    '?text=pa&conflicting=true',
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

/** What was sent to this server's database, as soon as the log has all of it. */
async function* ownStatements() {
  const { db } = server.administration.storage;
  const name = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const last = `select '${randomUUID()}'`;
  await sql.raw(last).execute(db);
  const read = async () => {
    const all = await Array.fromAsync(readStatements(inject('statementLogs') ?? ''));
    return all.filter(({ database }) => database === name.rows[0]?.name);
  };
  await expect.poll(async () => (await read()).some((one) => one.sql === last), { timeout: 20_000 }).toBe(true);
  yield* await read();
}
