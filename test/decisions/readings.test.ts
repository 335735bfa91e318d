// @module-tag both-engines
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairShare } from '@branchline/runtime';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { countFulfilled } from '../support/count-fulfilled.ts';
import { expectError } from '../support/expect-error.ts';
import { holdWriters } from '../support/hold-writers.ts';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';

const TOO_MUCH = 'The service has more to read than it can now. Try again in a moment.';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.administration.workspaces.create('other');
});
afterAll(() => server.close());

/** Holds up all who read API keys, until it is opened or the test has ended. */
function holdReaders() {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const { keys } = server.administration;
  const list = keys.list.bind(keys);
  const spy = vi.spyOn(keys, 'list').mockImplementation(async (workspaceId, ...rest) => {
    begun.push(workspaceId);
    await gate.promise;
    return list(workspaceId, ...rest);
  });
  const stop = (): void => {
    gate.resolve();
    spy.mockRestore();
  };
  // A spy on what a failed test left would call itself, without end.
  onTestFinished(stop);
  return { begun, open: () => gate.resolve(), stop };
}

/** Counts the requests of each person that have asked for a place to read. */
function watchPlaces() {
  const take = vi.spyOn(FairShare.prototype, 'take');
  return {
    askedBy: ({ userId }: { userId: string }) =>
      take.mock.calls.filter(([, { parts }]) => parts?.includes(userId)).length,
    stop: () => take.mockRestore(),
  };
}

const listKeys = (workspaceId: string, { cookie }: { cookie: string }) =>
  server.call({ path: `/workspaces/${workspaceId}/api-keys/v1`, as: null, headers: { cookie } });

/** Leaves counts that are pending, data that is to be looked at, and a session that is to be kept. */
async function leaveUnwritten(): Promise<void> {
  const taken = await server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    headers: { 'api-key': server.apiKey },
    json: batchOf([eventReport('Viewed', []), eventReport('Viewed', [{ name: 'at', type: 'int' }])]),
  });
  expect(taken.status).toBe(200);
  await ofTest(server.administration.storage).write((tx) =>
    tx
      .updateTable('sessions')
      .set({ last_used_at: Date.now() - 2 * 3_600_000 })
      .where('workspace_id', '=', 'other')
      .execute(),
  );
}

describe('Lists and reports', () => {
  it('of one workspace read four at a time, and another one need not wait for them', async () => {
    const [admin, other] = [await server.signIn('admin'), await server.signIn('admin', 'other')];
    const readers = holdReaders();
    const answers = Array.from({ length: 12 }, () => listKeys('shop', admin));
    await expect.poll(() => readers.begun.length).toBe(4);
    const beside = listKeys('other', other);
    await expect.poll(() => readers.begun.at(-1)).toBe('other');
    expect(readers.begun).toHaveLength(5);
    readers.open();
    for (const { status } of await Promise.all([...answers, beside])) expect(status).toBe(200);
    readers.stop();
  });

  it('of a workspace begin at once while two others hold and ask for all they can', async () => {
    await server.administration.workspaces.create('third');
    const [first, second, third] = [
      await server.signIn('admin'),
      await server.signIn('admin', 'other'),
      await server.signIn('admin', 'third'),
    ];
    const readers = holdReaders();
    const answers = Array.from({ length: 12 }, () => listKeys('shop', first));
    await expect.poll(() => readers.begun.length).toBe(4);
    answers.push(...Array.from({ length: 12 }, () => listKeys('other', second)));
    await expect.poll(() => readers.begun.length).toBe(6);
    const asked = listKeys('third', third);
    await expect.poll(() => readers.begun.at(-1)).toBe('third');
    readers.open();
    for (const { status } of await Promise.all([...answers, asked])) expect(status).toBe(200);
    readers.stop();
  });

  it('of the people of a workspace take turns', async () => {
    const [admin, colleague] = [await server.signIn('admin'), await server.signIn('admin')];
    const readers = holdReaders();
    const { accounts } = server.administration;
    const list = accounts.list.bind(accounts);
    const colleagues = vi.spyOn(accounts, 'list').mockImplementation((...given) => {
      readers.begun.push('colleague');
      return list(...given);
    });
    const held = Array.from({ length: 4 }, () => listKeys('shop', admin));
    await expect.poll(() => readers.begun.length).toBe(4);
    const places = watchPlaces();
    const waiting = Array.from({ length: 12 }, () => listKeys('shop', admin));
    await expect.poll(() => places.askedBy(admin)).toBe(12);
    const path = '/workspaces/shop/service-accounts/v1';
    waiting.push(server.call({ path, as: null, headers: { cookie: colleague.cookie } }));
    await expect.poll(() => places.askedBy(colleague)).toBe(1);
    places.stop();
    readers.open();
    await Promise.all([...held, ...waiting]);
    readers.stop();
    colleagues.mockRestore();
    // In the order in which they begin, after those that were held: answers may overtake each other.
    const afterHeld = readers.begun.slice(held.length);
    expect(afterHeld).toHaveLength(13);
    expect(afterHeld.indexOf('colleague')).toBeLessThan(7);
  });

  it('whose clients leave while they wait are not read', async () => {
    const admin = await server.signIn('admin');
    const readers = holdReaders();
    const answers = Array.from({ length: 4 }, () => listKeys('shop', admin));
    await expect.poll(() => readers.begun.length).toBe(4);
    const authenticated = vi.spyOn(server.administration.sessions, 'find');
    const leaving = Array.from({ length: 5 }, () =>
      request(`${server.origin}/workspaces/shop/api-keys/v1`, { agent: false, headers: { cookie: admin.cookie } }),
    );
    for (const one of leaving) one.on('error', () => {}).end();
    await expect.poll(() => countFulfilled(authenticated)).toBe(5);
    authenticated.mockRestore();
    for (const one of leaving) one.destroy();
    // The server has seen that they have left once it has answered a connection that began afterwards.
    expect((await server.call({ path: '/livez', as: null })).status).toBe(200);
    readers.open();
    for (const { status } of await Promise.all([...answers, listKeys('shop', admin)])) expect(status).toBe(200);
    expect(readers.begun).toHaveLength(5);
    readers.stop();
  });

  const inspector = '/workspaces/shop/inspector';

  it.each([
    ['observed events', `${inspector}/events/v1`, 1],
    ['observed shapes', `${inspector}/shapes/v1`, 1],
    ['event summaries', `${inspector}/event-summaries/v1`, 1],
    ['properties', `${inspector}/properties/v1?eventName=Viewed`, 1],
    ['volume', `${inspector}/volume/v1`, 1],
    ['issues', `${inspector}/issues/v1`, 1],
    ['API keys', '/workspaces/shop/api-keys/v1', 4],
    ['service accounts', '/workspaces/shop/service-accounts/v1', 4],
    ['sessions', '/sessions/v1', 4],
  ])('of %s that wait for their workspace to write hold up no other list', async (_, path, writes) => {
    const [admin, other] = [await server.signIn('admin'), await server.signIn('admin', 'other')];
    const headers = { cookie: `${admin.cookie}~${other.cookie.replace('branchline-session=', '')}` };
    await leaveUnwritten();
    const writers = holdWriters(server, 'shop');
    const authenticated = vi.spyOn(server.administration.sessions, 'find');
    const ended: string[] = [];
    const answers: Promise<{ status: number }>[] = [];
    for (let count = 1; count <= 4; count += 1) {
      // The use of the account is to be written once for each of the lists that tell of it.
      expect((await server.call({ path: '/workspaces/shop/branches/v1' })).status).toBe(200);
      const asked = server.call({ path, as: null, headers });
      answers.push(asked.finally(() => ended.push(path)));
      await expect.poll(writers.held).toBe(Math.min(count, writes));
      await expect.poll(() => countFulfilled(authenticated)).toBeGreaterThanOrEqual(count);
    }
    authenticated.mockRestore();
    // Those that share one write wait, too, once a request that came later is answered.
    expect((await server.call({ path: '/livez', as: null })).status).toBe(200);
    expect((await server.call({ path: '/workspaces/shop/branches/v1' })).status).toBe(200);
    expect(ended).toEqual([]);
    writers.open();
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  });

  it('whose clients leave while their workspace writes are not read', async () => {
    const admin = await server.signIn('admin');
    // All uses before are written, and that of the account alone is to be.
    await listKeys('shop', admin);
    await server.call({ path: '/workspaces/shop/branches/v1' });
    const readers = holdReaders();
    readers.open();
    const writers = holdWriters(server, 'shop');
    const headers = { cookie: admin.cookie };
    const leaving = request(`${server.origin}/workspaces/shop/api-keys/v1`, { agent: false, headers });
    leaving.on('error', () => {}).end();
    await expect.poll(writers.held).toBe(1);
    leaving.destroy();
    // As above: the server has seen it by then, and has gone on after the write.
    await server.call({ path: '/livez', as: null });
    writers.open();
    await expect.poll(writers.written).toBe(1);
    await server.call({ path: '/livez', as: null });
    expect(readers.begun).toEqual([]);
    readers.stop();
  });

  it('that are too many to wait for the writes of their workspace are 503, and those of others are not', async () => {
    const other = await server.signIn('viewer', 'other');
    await leaveUnwritten();
    const writers = holdWriters(server, 'shop');
    const refused: Answer[] = [];
    const flood = Array.from({ length: 260 }, async () => {
      const answer = await server.call({ path: `${inspector}/events/v1` });
      if (answer.status !== 200) refused.push(answer);
    });
    await expect.poll(() => refused.length).toBe(10);
    const path = '/workspaces/other/inspector/events/v1';
    expect((await server.call({ path, as: null, headers: { cookie: other.cookie } })).status).toBe(200);
    writers.open();
    await Promise.all(flood);
    for (const answer of refused) expectError(answer, 503, TOO_MUCH);
    expect(refused).toHaveLength(10);
  });

  it('that are too many to wait are 503, and those of other workspaces are not', async () => {
    const path = `${server.workspacePath}/inspector/event-summaries/v1`;
    const [admin, { cookie }] = [await server.signIn('admin'), await server.signIn('viewer', 'other')];
    const readers = holdReaders();
    const held = Array.from({ length: 4 }, () => listKeys('shop', admin));
    await expect.poll(() => readers.begun.length).toBe(4);
    const flood = Array.from({ length: 1_000 }, () => server.call({ path }));
    const branches = { path: '/workspaces/other/branches/v1', as: null, headers: { cookie } };
    const beside = await Promise.all(Array.from({ length: 10 }, () => server.call(branches)));
    expect(beside.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    // Those that are refused are answered while nobody reads.
    const first = await Promise.any(flood);
    readers.open();
    await Promise.all(held);
    readers.stop();
    expectError(first, 503, TOO_MUCH);
    const refused = (await Promise.all(flood)).filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectError(answer, 503, TOO_MUCH);
      expect(answer.headers['retry-after']).toBe('1');
    }
  });
});
