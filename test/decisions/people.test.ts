// @module-tag both-engines
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MOST_USERS } from '../../server/accounts/user-limit.ts';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { Browser, tokenOf } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'correct horse battery staple';

let server: TestServer;
let now = Date.UTC(2026, 0, 2);
/** A workspace of its own for each test. */
let workspaceId: string;
let workspaces = 0;

beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
});
beforeEach(async () => {
  now += 3_600_000;
  workspaceId = `team-${(workspaces += 1)}`;
  await server.administration.workspaces.create(workspaceId);
});
afterAll(() => server.close());

interface User {
  userId: string;
  email: string;
  role: string;
  addedDate: string;
  lastSignInDate: string | null;
}

const path = (rest: string) => `/workspaces/${workspaceId}/${rest}`;

async function person(role: 'admin' | 'editor' | 'viewer') {
  const { cookie, ...who } = await server.signIn(role, workspaceId);
  return { ...who, browser: new Browser(server, { cookie }) };
}

const setRole = (by: Browser, userId: string, role: string) =>
  by.call('PUT', path(`users/${userId}/role/v1`), { role });
const remove = (by: Browser, userId: string) => by.call('DELETE', path(`users/${userId}/v1`));
const invite = (by: Browser, email: string, role = 'editor') => by.call('POST', path('users/v1'), { email, role });

async function invited(by: Browser, email: string, role = 'editor') {
  const answer = await invite(by, email, role);
  expect(answer.status, answer.text).toBe(201);
  const { user, signInLink } = answer.json() as { user: User; signInLink: { signInUrl: string } };
  return { ...user, token: tokenOf(signInLink.signInUrl) };
}

async function pages(by: Browser, list: string, key: string, limit: number): Promise<Record<string, string>[]> {
  const all: Record<string, string>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await by.call('GET', path(`${list}/v1?limit=${limit}${cursor && `&cursor=${cursor}`}`));
    const page = answer.json() as Record<string, Record<string, string>[]> & { nextCursor: string | null };
    expect(page[key]?.length).toBeLessThanOrEqual(limit);
    all.push(...(page[key] ?? []));
    cursor = page.nextCursor;
  }
  return all;
}

describe('Roles', () => {
  it('each may do what those before it may, and a change takes effect with the next request', async () => {
    const admin = await person('admin');
    const other = await person('viewer');
    const create = (name: string) => other.browser.call('POST', path('branches/v1'), { name });
    expectError(await create('a'), 403, /takes the role editor, and yours is viewer/);
    const changed = await setRole(admin.browser, other.userId, 'editor');
    expect(changed.json()).toMatchObject({ userId: other.userId, email: other.email, role: 'editor' });
    expect((await create('a')).status).toBe(201);
    expectError(await invite(other.browser, 'x@example.com'), 403, /takes the role admin/);
    await setRole(admin.browser, other.userId, 'admin');
    expect((await invite(other.browser, 'x@example.com')).status).toBe(201);
    await setRole(admin.browser, other.userId, 'viewer');
    expectError(await create('b'), 403);
  });

  it('of somebody who is not there, or of another workspace, can not be changed', async () => {
    const admin = await person('admin');
    const stranger = await server.signIn('editor');
    for (const userId of [stranger.userId, 'nobody', '%00']) {
      expectError(await setRole(admin.browser, userId, 'viewer'), 404);
      expectError(await remove(admin.browser, userId), 404);
      expectError(await admin.browser.call('POST', path(`users/${userId}/sign-in-links/v1`)), 404);
    }
    expect(await new Browser(server, { cookie: stranger.cookie }).whoAmI()).toMatchObject({ role: 'editor' });
  });
});

describe('People', () => {
  it('are listed oldest first, page by page', async () => {
    const admin = await person('admin');
    const added = [];
    for (const email of ['c@example.com', 'a@example.com', 'b@example.com'])
      added.push(await invited(admin.browser, email));
    expect((await pages(admin.browser, 'users', 'users', 2)).map(({ email }) => email)).toEqual([
      admin.email,
      ...added.map(({ email }) => email),
    ]);
    await new Browser(server).signIn({ token: added[1]?.token, password: PASSWORD }, workspaceId);
    expect((await pages(admin.browser, 'users', 'users', 200))[2]).toEqual({
      userId: added[1]?.userId,
      email: 'a@example.com',
      role: 'editor',
      addedDate: new Date(now).toISOString(),
      lastSignInDate: new Date(now).toISOString(),
    });
    expectError(await admin.browser.call('GET', path('audit/v1?cursor=x')), 400, /cursor/);
  });

  it('have an e-mail each, whatever its capital letters', async () => {
    const { browser } = await person('admin');
    await invited(browser, 'Ada@Example.com');
    expectError(await invite(browser, 'ada@example.COM'), 409, /ada@example.COM belongs to this workspace already/);
    const both = await Promise.all([invite(browser, 'eve@example.com'), invite(browser, 'Eve@example.com')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('are 1,000 of a workspace at most', async () => {
    const { browser } = await person('admin');
    const { token } = await server.administration.users.createOpenLink(workspaceId, 'viewer');
    const row = {
      workspace_id: workspaceId,
      role: 'viewer',
      password_hash: null,
      created_at: 1,
      last_sign_in_at: null,
    };
    const rows = Array.from({ length: MOST_USERS - 2 }, (_, at) => ({
      ...row,
      user_id: `u${at}`,
      email: `u${at}@example.com`,
      email_key: `u${at}@example.com`,
    }));
    await ofTest(server.administration.storage).write((tx) => tx.insertInto('users').values(rows).execute());
    const last = await Promise.all(['y@example.com', 'z@example.com'].map((email) => invite(browser, email)));
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const join = { token, email: 'q@example.com', password: PASSWORD };
    for (const full of [await invite(browser, 'q@example.com'), await new Browser(server).signIn(join, workspaceId)]) {
      expectError(full, 409, 'This workspace has 1,000 users, as many as it can have. Remove somebody first.');
    }
  });
});

describe('Removing a user', () => {
  it('ends their sessions and links at once', async () => {
    const admin = await person('admin');
    const { userId, token, email } = await invited(admin.browser, 'ada@example.com');
    const own = new Browser(server);
    await own.signIn({ token, password: PASSWORD }, workspaceId);
    const link = await admin.browser.call('POST', path(`users/${userId}/sign-in-links/v1`));
    const unused = tokenOf((link.json() as { signInUrl: string }).signInUrl);
    expect(await own.whoAmI(workspaceId)).toMatchObject({ userId });
    expect((await remove(admin.browser, userId)).status).toBe(204);
    expect(await own.whoAmI(workspaceId)).toBe(401);
    expectError(await new Browser(server).signIn({ token: unused }, workspaceId), 410);
    expectError(await new Browser(server).signIn({ email, password: PASSWORD }, workspaceId), 401);
    expectError(await remove(admin.browser, userId), 404);
    expect((await invite(admin.browser, email)).status).toBe(201);
  });

  it('leaves no session behind that began at the same moment', async () => {
    const admin = await person('admin');
    for (let round = 0; round < 5; round += 1) {
      const { userId, token } = await invited(admin.browser, `racer-${round}@example.com`);
      const own = new Browser(server);
      await Promise.all([own.signIn({ token, password: PASSWORD }, workspaceId), remove(admin.browser, userId)]);
      if (own.cookie !== undefined) expect(await own.whoAmI(workspaceId)).toBe(401);
      const left = await server.administration.storage.db
        .selectFrom('sessions')
        .select('session_hash')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute();
      expect(left).toEqual([]);
    }
  });
});

describe('Last admin', () => {
  const LAST = 'A workspace needs an admin, and this is the last one. Make somebody else an admin first.';

  it('can be neither removed nor demoted', async () => {
    const admin = await person('admin');
    await person('editor');
    expectError(await remove(admin.browser, admin.userId), 409, LAST);
    expectError(await setRole(admin.browser, admin.userId, 'editor'), 409, LAST);
    expect((await setRole(admin.browser, admin.userId, 'admin')).status).toBe(200);
    const second = await person('admin');
    expect((await remove(second.browser, admin.userId)).status).toBe(204);
    expectError(await remove(second.browser, second.userId), 409, LAST);
  });

  it.each(['demoted', 'removed'])('stays when the last two are %s at once', async (how) => {
    for (let round = 0; round < 5; round += 1) {
      const two = [await person('admin'), await person('admin')];
      const [first, second] = two;
      const end = (by: Browser | undefined, userId = '') =>
        by === undefined ? [] : [how === 'removed' ? remove(by, userId) : setRole(by, userId, 'viewer')];
      const answers = await Promise.all([
        ...end(first?.browser, second?.userId),
        ...end(second?.browser, first?.userId),
      ]);
      // The one who is late is told so, or is not admitted any more.
      expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1);
      const { users } = server.administration;
      const left = await users.page(workspaceId, undefined, MOST_USERS);
      const admins = left.filter(({ role }) => role === 'admin');
      expect(admins).toHaveLength(1);
      // The next round begins with none.
      workspaceId = `${how}-${round}`;
      await server.administration.workspaces.create(workspaceId);
    }
  });
});

describe('Audit log', () => {
  it('has a line for every act, newest first, who did it and when, and no secret', async () => {
    const admin = await person('admin');
    const later = () => (now += 1_000);
    later();
    const { userId, token } = await invited(admin.browser, 'ada@example.com', 'viewer');
    later();
    const own = new Browser(server);
    await own.signIn({ token, password: PASSWORD }, workspaceId);
    later();
    await setRole(admin.browser, userId, 'editor');
    later();
    const link = await admin.browser.call('POST', path(`users/${userId}/sign-in-links/v1`));
    const second = tokenOf((link.json() as { signInUrl: string }).signInUrl);
    later();
    await own.signIn({ token: second, password: `${PASSWORD} 2` }, workspaceId);
    later();
    await remove(admin.browser, userId);
    later();
    await server.administration.users.createOpenLink(workspaceId, 'admin');
    // What changes nothing, or is refused, is no act.
    await setRole(admin.browser, admin.userId, 'admin');
    await remove(admin.browser, admin.userId);
    await invite(admin.browser, admin.email);

    const lines = await pages(admin.browser, 'audit', 'lines', 3);
    expect(lines.map(({ actorEmail, act, subject }) => [actorEmail, act, subject])).toEqual([
      [null, 'signInLinkCreated', 'whoever uses it, as admin'],
      [admin.email, 'userRemoved', 'ada@example.com'],
      ['ada@example.com', 'passwordChanged', 'ada@example.com'],
      [admin.email, 'signInLinkCreated', 'ada@example.com'],
      [admin.email, 'roleChanged', 'ada@example.com from viewer to editor'],
      ['ada@example.com', 'userJoined', 'ada@example.com as viewer'],
      [admin.email, 'userInvited', 'ada@example.com as viewer'],
      [null, 'workspaceCreated', workspaceId],
    ]);
    expect(lines[0]).toMatchObject({ actorId: null, date: new Date(now).toISOString() });
    expect(lines[2]).toMatchObject({ actorId: userId });
    const text = JSON.stringify(lines);
    for (const secret of [token, second, PASSWORD, own.cookie ?? '']) expect(text).not.toContain(secret);
  });
});

describe('Private replies', () => {
  it('are stored by nobody on their way, whatever they say', async () => {
    const { browser, cookie } = { ...(await person('viewer')), cookie: '' };
    const answers = [
      await browser.call('GET', path('users/v1')),
      await browser.call('GET', path('audit/v1')),
      await browser.call('GET', '/sessions/v1'),
      await browser.call('GET', path('branches/export/v1')),
      await browser.call('GET', path('users/v1?limit=0')),
      await browser.call('POST', path('sessions/v1'), { email: 'a@b.example', password: 'x' }),
      await server.call({ path: path('users/v1'), as: null, headers: { cookie } }),
      await server.call({ path: `${server.workspacePath}/branches/v1` }),
      await browser.call('DELETE', path('sessions/current/v1')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 200, 400, 401, 401, 200, 204]);
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
  });
});
