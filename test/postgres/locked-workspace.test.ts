import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDatabase } from '../../server/storage/testing/databases.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { type Answer, type Credentials, startTestServer, type TestServer } from '../support/server.ts';

/** Somebody else has locked the row of a workspace, so that whatever writes for it waits. The server has its usual 10 connections. */

const EACH = 20;

interface Tenant {
  workspaceId: string;
  as: Credentials;
  apiKey: string;
}

/** Half of its connections. */
const HALF = 5;

let server: TestServer;
let holder: pg.Client;
/** Of its own: a transaction sees no connections that were made after it has first looked. */
let watcher: pg.Client;
let locked: Tenant;
let other: Tenant;

async function addTenant(workspaceId: string): Promise<Tenant> {
  const { workspaces, keys } = server.administration;
  await workspaces.create(workspaceId);
  const { text } = await keys.create({ workspaceId, source: 'app', samplingRate: 1 });
  return { workspaceId, as: await server.createAccount(undefined, workspaceId), apiKey: text };
}

beforeEach(async () => {
  const database = await newDatabase();
  server = await startTestServer({ database });
  locked = await addTenant('locked');
  other = await addTenant('other');
  [holder, watcher] = [new pg.Client(database.location.databaseUrl), new pg.Client(database.location.databaseUrl)];
  await holder.connect();
  await watcher.connect();
});

afterEach(async () => {
  await holder.end();
  await watcher.end();
  await server.close();
});

const branches = ({ workspaceId }: Tenant) => `/workspaces/${workspaceId}/branches`;

const create = (tenant: Tenant, name: string) =>
  server.call({ method: 'POST', path: `${branches(tenant)}/v1`, as: tenant.as, json: { name } });

const send = ({ apiKey }: Tenant) =>
  server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    headers: { 'api-key': apiKey },
    json: batchOf([eventReport('Viewed', [])]),
  });

const addCollaborator = (tenant: Tenant, branchId: string, collaboratorEmail: string) =>
  server.call({
    method: 'POST',
    path: `${branches(tenant)}/${branchId}/collaborators/v1`,
    as: tenant.as,
    json: { collaboratorEmail },
  });

const times = <Result>(work: (at: number) => Result) => Array.from({ length: EACH }, (_, at) => work(at));

const sendsAndCreates = () => [...times(() => send(locked)), ...times((at) => create(locked, `branch-${at}`))];

async function createdBy(tenant: Tenant): Promise<string> {
  const created = (await create(tenant, 'first')).json() as { branchId: string };
  return created.branchId;
}

/** How many connections of the server wait for a lock, in a database where the only lock is ours. */
async function countWaiting(): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'branchline' and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

interface Waiting {
  /** Whose rows are locked. */
  tenants: readonly Tenant[];
  requests: () => Promise<Answer>[];
  /** How many connections wait then. */
  connections: number;
}

/** Has others answered while requests wait for the rows of their workspaces, then lets those go on. */
async function whileTheyWait({ tenants, requests, connections }: Waiting, others: () => Promise<Answer>[]) {
  const ids = tenants.map(({ workspaceId }) => workspaceId);
  await holder.query('begin');
  await holder.query('select from workspaces where workspace_id = any ($1) for update', [ids]);
  let answered = 0;
  const waiting = requests().map(async (request) => {
    const { status } = await request;
    answered += 1;
    return status;
  });
  await expect.poll(countWaiting).toBe(connections);
  const statuses = (await Promise.all(others())).map(({ status }) => status);
  expect(await countWaiting()).toBe(connections);
  expect(answered).toBe(0);
  await holder.query('rollback');
  return { statuses, afterwards: await Promise.all(waiting) };
}

it('of one workspace, one transaction that stores batches waits in the database and one that creates branches, and those of another are stored', async () => {
  const waiting = { tenants: [locked], requests: sendsAndCreates, connections: 2 };
  const { statuses, afterwards } = await whileTheyWait(waiting, () => [send(other), create(other, 'new')]);
  expect(statuses).toEqual([200, 201]);
  expect(afterwards).toEqual([...times(() => 200), ...times(() => 201)]);
});

it.each([
  ['store batches', send, (tenant: Tenant) => create(tenant, 'new')],
  ['create branches', (tenant: Tenant) => create(tenant, 'new'), send],
])(
  'of all workspaces, as many transactions that %s wait as half of the connections, and the other kind has its own half',
  async (_what, one, another) => {
    const tenants = await Promise.all(Array.from({ length: HALF + 2 }, (_, at) => addTenant(`locked-${at}`)));
    const waiting = { tenants, requests: () => tenants.map(one), connections: HALF };
    const { statuses, afterwards } = await whileTheyWait(waiting, () => [another(other)]);
    for (const status of [...statuses, ...afterwards]) expect([200, 201]).toContain(status);
  },
);

it('all else that one workspace writes leaves a connection to another, for whatever that writes', async () => {
  const [mine, theirs] = [await createdBy(locked), await createdBy(other)];
  const changes = () => times((at) => addCollaborator(locked, mine, `user-${at}@example.com`));
  const { statuses, afterwards } = await whileTheyWait(
    { tenants: [locked], requests: () => [...changes(), ...sendsAndCreates()], connections: 2 * HALF - 1 },
    () => [send(other), create(other, 'new'), addCollaborator(other, theirs, 'ada@example.com')],
  );
  expect(statuses).toEqual([200, 201, 200]);
  expect(afterwards).toEqual([...times(() => 200), ...times(() => 200), ...times(() => 201)]);
});
