// @module-tag both-engines
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.administration.workspaces.create('other');
});
afterAll(() => server.close());

/** Holds up all who read API keys, until it is opened. */
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
  return { begun, open: () => gate.resolve(), stop: () => spy.mockRestore() };
}

const listKeys = (workspaceId: string, { cookie }: { cookie: string }) =>
  server.call({ path: `/workspaces/${workspaceId}/api-keys/v1`, as: null, headers: { cookie } });

describe('Lists and reports', () => {
  it('of one workspace read seven at a time, and another one need not wait for them', async () => {
    const [admin, other] = [await server.signIn('admin'), await server.signIn('admin', 'other')];
    const readers = holdReaders();
    const answers = Array.from({ length: 12 }, () => listKeys('shop', admin));
    await expect.poll(() => readers.begun.length).toBe(7);
    const beside = listKeys('other', other);
    await expect.poll(() => readers.begun.at(-1)).toBe('other');
    expect(readers.begun).toHaveLength(8);
    readers.open();
    for (const { status } of await Promise.all([...answers, beside])) expect(status).toBe(200);
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
    const held = Array.from({ length: 7 }, () => listKeys('shop', admin));
    await expect.poll(() => readers.begun.length).toBe(7);
    const authenticated = vi.spyOn(server.administration.sessions, 'find');
    const waiting = Array.from({ length: 12 }, () => listKeys('shop', admin));
    await expect.poll(() => authenticated.mock.settledResults.length).toBe(12);
    const path = '/workspaces/shop/service-accounts/v1';
    waiting.push(server.call({ path, as: null, headers: { cookie: colleague.cookie } }));
    await expect.poll(() => authenticated.mock.settledResults.length).toBe(13);
    authenticated.mockRestore();
    // It waits with the others once a request that came later is answered.
    expect((await server.call({ path: '/livez', as: null })).status).toBe(200);
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
    const answers = Array.from({ length: 7 }, () => listKeys('shop', admin));
    await expect.poll(() => readers.begun.length).toBe(7);
    const authenticated = vi.spyOn(server.administration.sessions, 'find');
    const leaving = Array.from({ length: 5 }, () =>
      request(`${server.origin}/workspaces/shop/api-keys/v1`, { agent: false, headers: { cookie: admin.cookie } }),
    );
    for (const one of leaving) one.on('error', () => {}).end();
    await expect
      .poll(() => authenticated.mock.settledResults.filter(({ type }) => type === 'fulfilled').length)
      .toBe(5);
    authenticated.mockRestore();
    for (const one of leaving) one.destroy();
    // The server has seen that they have left once it has answered a connection that began afterwards.
    expect((await server.call({ path: '/livez', as: null })).status).toBe(200);
    readers.open();
    for (const { status } of await Promise.all([...answers, listKeys('shop', admin)])) expect(status).toBe(200);
    expect(readers.begun).toHaveLength(8);
    readers.stop();
  });

  it('that are too many to wait are 503, and those of other workspaces are not', async () => {
    const path = `${server.workspacePath}/inspector/event-summaries/v1`;
    const { cookie } = await server.signIn('viewer', 'other');
    const flood = Array.from({ length: 1_000 }, () => server.call({ path }));
    const branches = { path: '/workspaces/other/branches/v1', as: null, headers: { cookie } };
    const beside = await Promise.all(Array.from({ length: 10 }, () => server.call(branches)));
    expect(beside.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const refused = (await Promise.all(flood)).filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectError(answer, 503, 'The service has more to read than it can now. Try again in a moment.');
      expect(answer.headers['retry-after']).toBe('1');
    }
  });
});
