// @module-tag both-engines
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ofTest } from '../server/storage/testing/statements-of-tests.ts';
import { batch, eventWith } from '../server/inspector/testing/batches.ts';
import { type Call, startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let log: Record<string, unknown>[];

beforeEach(async () => {
  log = [];
  server = await startTestServer({ log: { write: (line) => log.push(JSON.parse(line)) } });
});
afterEach(() => server.close());

const inWorkspace =
  (path: string) =>
  async ({ workspacePath }: TestServer): Promise<Call> => ({ path: `${workspacePath}/${path}` });

const byAdmin =
  (path: string) =>
  async ({ workspacePath, signIn }: TestServer): Promise<Call> => ({
    path: `${workspacePath}/${path}`,
    as: null,
    headers: { cookie: (await signIn('admin')).cookie },
  });

async function ingest({ call, apiKey }: TestServer, type: 'int' | 'string'): Promise<void> {
  const json = batch([eventWith('price', type)], { version: `1.${type}` });
  await call({ method: 'POST', path: '/inspector/batches/v1', as: null, headers: { 'api-key': apiKey }, json });
}

async function fill(server: TestServer): Promise<string> {
  const { call, workspacePath } = server;
  const created = await call({ method: 'POST', path: `${workspacePath}/branches/v1`, json: { name: 'checkout' } });
  const { branchId } = Object(created.json());
  const path = `${workspacePath}/branches/${branchId}/collaborators/v1`;
  await call({ method: 'POST', path, json: { collaboratorEmail: 'grace@example.com' } });
  for (const type of ['int', 'string'] as const) {
    await ingest(server, type);
    for (const report of ['shapes', 'issues']) await call({ path: `${workspacePath}/inspector/${report}/v1` });
  }
  return branchId;
}

type Damage = [column: string, text: string, request: (server: TestServer, branchId: string) => Promise<Call>];

const activity: Damage[2] = (of, branchId) => inWorkspace(`branches/${branchId}/activity/v1`)(of);

it.for<Damage>([
  ['branches.collaborators', 'Y"grace@example.com"]', inWorkspace('branches/v1')],
  ['branches.collaborators', '["grace@example.com"Y', inWorkspace('branches/v1?text=check')],
  ['branches.collaborators', '["grace@example.com"Y', inWorkspace('branches/export/v1')],
  ['branches.collaborators', '[7]', inWorkspace('branches/export/v1')],
  ['branches.collaborators', '"grace@example.com"', (of, id) => inWorkspace(`branches/${id}/v1`)(of)],
  ['branch_events.data', '{"name":"checkout"y', activity],
  ['branch_events.data', '{"nbme":"checkout","fmail":"grace@example.com"}', activity],
  ['branch_events.type', 'creatd', activity],
  ['service_accounts.scopes', '["branches:read', byAdmin('service-accounts/v1')],
  ['service_accounts.scopes', '{}', inWorkspace('branches/v1')],
  ['api_keys.libraries', '[{"name":"test","wersion":"1","platform":"android","lastUsedAt":1}]', byAdmin('api-keys/v1')],
  ['shapes.schema', '[{"name":"price","type":"int"]', inWorkspace('inspector/shapes/v1')],
  ['shapes.schema', '[{"nbme":"price","type":"int"}]', inWorkspace('inspector/properties/v1?eventName=Viewed')],
  ['shapes.schema', '[{"name":"price","type":"ift"}]', inWorkspace('inspector/shapes/v1')],
  ['shapes.schema', '[{"name":"tags","type":"list","jtems":[]}]', inWorkspace('inspector/shapes/v1')],
  ['observed_properties.path', '["price]', inWorkspace('inspector/conflicts/v1')],
  ['issues.path', '{"price":1}', inWorkspace('inspector/issues/v1')],
  ['event_totals.newest_versions', '[["1.0",1],["1.1"]]', inWorkspace('inspector/event-summaries/v1')],
  ['event_totals.newest_versions', '[["1.0",1],', inWorkspace('inspector/volume/v1?split=appVersion')],
])('%s that holds %s is answered with 503, and logged without a stack', async ([column, text, request]) => {
  const call = await request(server, await fill(server));
  expect((await server.call(call)).status).toBe(200);
  await damage(column, text);
  const answer = await server.call(call);
  expect(answer.status).toBe(503);
  expect(answer.json()).toEqual({ error: "The service can't answer now. Try again in a moment." });
  const faults = log.filter(({ level }) => Number(level) >= 50);
  expect(faults).toEqual([
    expect.objectContaining({
      level: 50,
      msg: expect.stringMatching(`^The database holds a value .* in ${column}: .* Restore`),
    }),
  ]);
  expect(JSON.stringify(log)).not.toContain('    at ');
});

it('counts that can not be read are told by no report', async () => {
  await fill(server);
  await ingest(server, 'int');
  await damage('pending_counts.counts', '[{"source":"android-shop"}]');
  expect((await server.call({ path: `${server.workspacePath}/inspector/event-summaries/v1` })).status).toBe(503);
  expect(log.filter(({ level }) => level === 50)).toMatchObject([{ msg: expect.stringContaining('pending_counts') }]);
});

it('what one workspace has that can not be read leaves the server ready, and other workspaces as they were', async () => {
  await fill(server);
  await server.administration.workspaces.create('other');
  const as = await server.createAccount(undefined, 'other');
  await damage('branches.collaborators', '[');
  expect((await server.call({ path: `${server.workspacePath}/branches/v1` })).status).toBe(503);
  expect((await server.call({ path: '/readyz' })).status).toBe(200);
  expect((await server.call({ path: '/workspaces/other/branches/v1', as })).status).toBe(200);
});

async function damage(column: string, text: string): Promise<void> {
  const [table = '', name = ''] = column.split('.');
  await ofTest(server.administration.storage).write((tx) => update(table, name, text).execute(tx));
}

function update(table: string, name: string, text: string): RawBuilder<unknown> {
  return sql`update ${sql.table(table)} set ${sql.ref(name)} = ${text}`;
}
