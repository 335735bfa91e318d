// @module-tag both-engines
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { SCOPES } from '../../server/accounts/principals.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { holdWriters } from '../support/hold-writers.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Requests that read what they may not read any more, or what is not there any more, by the time of their answer. */

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Has every request that is under way have been so for longer. */
function letPass(milliseconds: number): void {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
  onTestFinished(() => spy.mockRestore());
}

/** Holds up what a request waits for until its reading begins, until it is opened or the test has ended. */
function holdReadings() {
  const { keys, storage } = server.administration;
  const gate = Promise.withResolvers<void>();
  let held = 0;
  const [list, stream] = [keys.list.bind(keys), storage.stream.bind(storage)];
  const hold = async (): Promise<void> => {
    held += 1;
    await gate.promise;
  };
  const spies = [
    vi.spyOn(keys, 'list').mockImplementation(async (...of) => {
      await hold();
      return list(...of);
    }),
    vi.spyOn(storage, 'stream').mockImplementation(async function* (...of) {
      await hold();
      yield* stream(...of);
    }),
  ];
  onTestFinished(() => {
    gate.resolve();
    for (const spy of spies) spy.mockRestore();
  });
  return { held: () => held, open: () => gate.resolve() };
}

it('of a workspace that is deleted while they wait are 401, and not answered with what is left of it', async () => {
  const { workspaces } = server.administration;
  await workspaces.create('ending');
  const as = await server.createAccount(SCOPES, 'ending');
  const admin = await server.signIn('admin', 'ending');
  const path = '/workspaces/ending/branches';
  expect((await server.call({ method: 'POST', path: `${path}/v1`, as, json: { name: 'one' } })).status).toBe(201);
  const readings = holdReadings();
  const asked = [
    server.call({ path: `${path}/export/v1`, as }),
    server.call({ path: '/workspaces/ending/api-keys/v1', as: null, headers: { cookie: admin.cookie } }),
  ];
  await expect.poll(readings.held).toBe(asked.length);
  await workspaces.delete('ending');
  readings.open();
  for (const { status } of await Promise.all(asked)) expect(status).toBe(401);
});

it.for(['account', 'role'] as const)('are refused whose %s is gone while they wait', async (what) => {
  const path = `${server.workspacePath}/inspector/events/v1`;
  const account = await server.createAccount(SCOPES);
  const isAccount = ({ name }: { name: string }): boolean => name === account.name;
  const person = await server.signIn('admin');
  const asked = what === 'account' ? { path, as: account } : { path, as: null, headers: { cookie: person.cookie } };
  const json = batchOf([eventReport('Viewed', []), eventReport('Viewed', [{ name: 'at', type: 'int' }])]);
  const headers = { 'api-key': server.apiKey };
  const taken = await server.call({ method: 'POST', path: '/inspector/batches/v1', as: null, headers, json });
  expect(taken.status).toBe(200);
  const writers = holdWriters(server, server.workspaceId);
  const answer = server.call(asked);
  await expect.poll(writers.held).toBe(1);
  const { workspaceId, userId } = person;
  const { accounts, users } = server.administration;
  const { accountId = '' } = (await accounts.list(workspaceId, undefined, 100)).find(isAccount) ?? {};
  if (what === 'account') expect(await accounts.delete(workspaceId, accountId)).toBe(true);
  else await users.changeRole({ workspaceId, userId, by: undefined }, 'viewer');
  letPass(1_000);
  writers.open();
  expect((await answer).status).toBe(what === 'account' ? 401 : 403);
});
