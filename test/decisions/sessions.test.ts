// @module-tag both-engines
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCOPES } from '../../server/accounts/principals.ts';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { type Credentials, startTestServer, type TestServer } from '../support/server.ts';

const DAY = 86_400_000;
const PASSWORD = 'correct horse battery staple';

let server: TestServer;
let now = Date.UTC(2026, 0, 2);

beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
});
beforeEach(() => (now += DAY));
afterAll(() => server.close());

interface Made {
  branchName: string;
  branchCreatorId: string;
}

let people = 0;

/** Signs somebody new in, in a browser. */
async function signIn(own: Browser, workspaceId = 'shop') {
  const email = `ada-${(people += 1)}@example.com`;
  const { users } = server.administration;
  const invited = await users.invite({ workspaceId, email, role: 'viewer', by: undefined });
  if (typeof invited === 'string') throw new Error(invited);
  const answer = await own.signIn({ token: invited.link.token, password: PASSWORD }, workspaceId);
  expect(answer.status).toBe(201);
  return { email, answer };
}

const current = (workspaceId = 'shop') => `/workspaces/${workspaceId}/sessions/current/v1`;
const listed = async (own: Browser) => {
  const answer = await own.call('GET', '/sessions/v1');
  if (answer.status !== 200) return answer.status;
  return (answer.json() as { sessions: { workspaceId: string }[] }).sessions.map(({ workspaceId }) => workspaceId);
};

describe('Session', () => {
  it('lets a person act as themselves', async () => {
    const { cookie, userId, email } = await server.signIn('editor');
    const own = new Browser(server, { cookie });
    const branches = `${server.workspacePath}/branches/v1`;
    expect((await own.call('POST', branches, { name: 'by-hand' })).status).toBe(201);
    expect((await own.call('GET', branches)).json()).toMatchObject({
      branches: [{ branchName: 'by-hand', branchCreatorId: userId, branchCreatorEmail: email }],
    });
  });

  it('does not count beside an authorization header, which alone decides', async () => {
    const { cookie, userId } = await server.signIn('editor');
    const branches = `${server.workspacePath}/branches/v1`;
    const create = (name: string, as: Credentials | null, authorization?: Record<string, string>) =>
      server.call({
        method: 'POST',
        path: branches,
        as,
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...authorization },
        json: { name },
      });
    await server.administration.workspaces.create('other-shop');
    const ofOther = await server.createAccount(SCOPES, 'other-shop');
    const withoutScope = await server.createAccount(['branches:export']);
    for (const authorization of ['', 'Bearer x']) expectError(await create('refused', null, { authorization }), 401);
    expectError(await create('refused', { ...server.account, secret: 'wrong' }), 401);
    expectError(await create('refused', ofOther), 401);
    expectError(await create('refused', withoutScope), 403);
    expect((await create('of-account', server.account)).status).toBe(201);
    expect((await create('of-person', null)).status).toBe(201);
    const { branches: made } = (await server.call({ path: branches })).json() as { branches: Made[] };
    const creators = new Map(made.map(({ branchName, branchCreatorId }) => [branchName, branchCreatorId]));
    expect(creators.get('of-account')).toBe(server.account.accountId);
    expect(creators.get('of-person')).toBe(userId);
    expect(creators.has('refused')).toBe(false);
  });

  it('is one of 100 of a person at most: the oldest ends when another one begins', async () => {
    const own = new Browser(server);
    const { email } = await signIn(own);
    const { userId } = (await own.whoAmI()) as { userId: string };
    const { sessions, workspaces } = server.administration;
    await workspaces.write('shop', async (tx) => {
      for (let n = 2; n <= 99; n += 1) {
        now += 1;
        await sessions.begin(tx, 'shop', userId);
      }
    });
    const [second, third] = [new Browser(server), new Browser(server)];
    now += 1;
    expect((await second.signIn({ email, password: PASSWORD })).status).toBe(201);
    expect(await own.whoAmI()).toMatchObject({ userId });
    now += 1;
    expect((await third.signIn({ email, password: PASSWORD })).status).toBe(201);
    expect(await own.whoAmI()).toBe(401);
    for (const newer of [second, third]) expect(await newer.whoAmI()).toMatchObject({ userId });
  });

  it('ends when it was not used for 7 days', async () => {
    const own = new Browser(server);
    await signIn(own);
    now += 7 * DAY - 1;
    expect(await own.whoAmI()).toMatchObject({ workspaceId: 'shop' });
    now += 7 * DAY - 1;
    expect(await own.whoAmI()).toMatchObject({ workspaceId: 'shop' });
    now += 7 * DAY;
    expect(await own.whoAmI()).toBe(401);
  });

  it('ends after 30 days, however often it is used', async () => {
    const own = new Browser(server);
    const { answer } = await signIn(own);
    const end = now + 30 * DAY;
    expect(answer.json()).toMatchObject({ expiresDate: new Date(end).toISOString() });
    while (now + 5 * DAY < end) {
      now += 5 * DAY;
      expect(await own.whoAmI()).toMatchObject({ workspaceId: 'shop' });
    }
    now = end - 1;
    expect(await own.whoAmI()).toMatchObject({ workspaceId: 'shop' });
    now = end;
    expect(await own.whoAmI()).toBe(401);
  });

  it('ends by signing out, in this browser and workspace alone', async () => {
    const own = new Browser(server);
    const { email } = await signIn(own);
    const other = new Browser(server);
    expect((await other.signIn({ email, password: PASSWORD })).status).toBe(201);
    const before = own.cookie ?? '';
    const ended = await own.call('DELETE', current());
    expect([ended.status, ended.text, own.cookie]).toEqual([204, '', undefined]);
    expect(await new Browser(server, { cookie: before }).whoAmI()).toBe(401);
    expect(await other.whoAmI()).toMatchObject({ email });
  });

  it('that has ended, has the browser show no dialog of its own, whichever way it tells that it is one', async () => {
    const own = new Browser(server);
    await signIn(own);
    const { cookie = '' } = own;
    await own.call('DELETE', current());
    const path = `${server.workspacePath}/branches/v1`;
    for (const headers of [{ cookie }, { 'sec-fetch-site': 'same-origin' }]) {
      const answer = await server.call({ path, as: null, headers });
      expectError(answer, 401, 'Unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Session realm="Branchline"');
    }
    const asked = await server.call({ path, as: null });
    expect(asked.headers['www-authenticate']).toMatch(/^Basic /);
  });

  it('is another one each time, and takes the place of the one before in this browser', async () => {
    const own = new Browser(server);
    const { email } = await signIn(own);
    const first = own.cookie ?? '';
    expect((await own.signIn({ email, password: PASSWORD })).status).toBe(201);
    expect(own.cookie).not.toBe(first);
    expect(own.cookie?.split('~')).toHaveLength(1);
    expect(await new Browser(server, { cookie: first }).whoAmI()).toBe(401);
    expect(await own.whoAmI()).toMatchObject({ email });
    // A wrong password leaves it as it is.
    expectError(await own.signIn({ email, password: 'a wrong password' }), 401);
    expect(await own.whoAmI()).toMatchObject({ email });
  });

  it('is never the one that a stranger has put into the browser', async () => {
    const planted = `branchline-session=shop.${'A'.repeat(43)}`;
    const own = new Browser(server, { cookie: planted });
    await signIn(own);
    expect(own.cookie).not.toContain('AAAA');
    expect(await new Browser(server, { cookie: planted }).whoAmI()).toBe(401);
  });
});

describe('Cookie', () => {
  it('holds the sessions of 8 workspaces, and those that live', async () => {
    const own = new Browser(server);
    const ids = Array.from({ length: 9 }, (_, at) => `tenant-${at}`);
    let first = '';
    for (const id of ids) {
      await server.administration.workspaces.create(id);
      await signIn(own, id);
      first ||= own.cookie ?? '';
    }
    const pushedOut = new Browser(server, { cookie: first });
    expect(await pushedOut.whoAmI('tenant-0'), 'a session that has no room any more has ended').toBe(401);
    expect(await listed(own)).toEqual(ids.slice(1));
    expect(await own.whoAmI('tenant-0')).toBe(401);
    for (const id of ids.slice(1)) expect(await own.whoAmI(id)).toMatchObject({ workspaceId: id });
    await own.call('DELETE', current('tenant-4'));
    expect(await listed(own)).toEqual(ids.slice(1).filter((id) => id !== 'tenant-4'));
    await server.administration.workspaces.delete('tenant-5');
    expect(await listed(own)).not.toContain('tenant-5');
    await signIn(own, 'tenant-0');
    expect(await listed(own)).toEqual([
      'tenant-1',
      'tenant-2',
      'tenant-3',
      'tenant-6',
      'tenant-7',
      'tenant-8',
      'tenant-0',
    ]);
  });

  it('can be read by no script, and is sent along by other sites only for what changes nothing', async () => {
    const { answer } = await signIn(new Browser(server));
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^branchline-session=shop\.[\w-]{43}; Path=\/; Expires=\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it.each([
    ['the page', { origin: 'https://web.example', 'sec-fetch-site': 'same-origin' }],
    ['a proxy that is believed', { 'x-forwarded-proto': 'https' }],
    ['a proxy that writes it in capitals', { 'x-forwarded-proto': 'HTTPS' }],
  ])('is for this host and TLS alone where %s came over TLS', async (_who, headers) => {
    const own = new Browser(server, headers);
    const { answer } = await signIn(own);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-branchline-session=shop\.[\w-]{43}; Path=\/; .*; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(await own.whoAmI()).toMatchObject({ workspaceId: 'shop' });
  });

  it('over TLS is the one alone that no other host of the domain could have set', async () => {
    const { cookie } = await server.signIn('viewer');
    expect(await new Browser(server, { cookie }).whoAmI()).toMatchObject({ workspaceId: 'shop' });
    const overTls = { cookie, 'x-forwarded-proto': 'https' };
    expect(await new Browser(server, { ...overTls, host: 'web.example' }).whoAmI()).toBe(401);
    // Of this machine there are no other hosts, and its people may have signed in without TLS.
    expect(await new Browser(server, { ...overTls, host: 'localhost:3000' }).whoAmI()).toMatchObject({
      workspaceId: 'shop',
    });
  });

  describe.each(['localhost:3000', '127.0.0.1', '[::1]:8443'])(
    'of this machine, %s, to which browsers send both',
    (host) => {
      const [plain, overTls] = [{ host }, { host, 'x-forwarded-proto': 'https' }];

      /** One browser's cookies, however it comes next. */
      const coming = (how: Record<string, string>, { cookie = '' }: Browser) => new Browser(server, { ...how, cookie });

      it('lets in who signed in without TLS after an earlier session over TLS', async () => {
        const before = new Browser(server, overTls);
        const { email } = await signIn(before);
        const own = coming(plain, before);
        expect(await own.whoAmI()).toMatchObject({ email });
        const { email: another } = await signIn(own);
        expect(await own.whoAmI()).toMatchObject({ email: another });
        expect(await coming(overTls, own).whoAmI()).toMatchObject({ email: another });
        expect(await before.whoAmI(), 'the session before is replaced').toBe(401);
      });

      it('signs out of both', async () => {
        const ada = await signIn(new Browser(server));
        const [first, second] = [new Browser(server, plain), new Browser(server, overTls)];
        // As a browser does that sends no `Secure` cookie without TLS.
        for (const one of [first, second]) await one.signIn({ email: ada.email, password: PASSWORD });
        const own = new Browser(server, { ...overTls, cookie: `${first.cookie}; ${second.cookie}` });
        expect((await own.call('DELETE', current())).status).toBe(204);
        for (const one of [own, first, second]) expect(await one.whoAmI()).toBe(401);
      });
    },
  );

  it('of whatever kind is no fault', async () => {
    const { cookie } = await server.signIn('viewer');
    const [, value] = cookie.split('=');
    const cookies = [
      'branchline-session',
      'branchline-session=',
      'branchline-session=~~~~',
      'branchline-session=.',
      'branchline-session=shop',
      'branchline-session=shop.',
      `branchline-session=shop.${'x'.repeat(8_000)}`,
      `branchline-session=${`shop.${'x'.repeat(43)}~`.repeat(150)}`,
      `branchline-session=SHOP.${'x'.repeat(43)}`,
      'branchline-session=shop.%00%ff%E0%A4%A; =; ;;;=x',
      'branchline-session="shop.\u00e4\u00f6"; a=b',
      `__proto__=x; branchline-session=${'shop.x'}; constructor=y`,
    ];
    for (const one of cookies) {
      for (const to of [current(), '/sessions/v1', `${server.workspacePath}/users/v1`]) {
        expectError(await server.call({ path: to, as: null, headers: { cookie: one } }), 401, 'Unauthorized');
      }
    }
    const among = [
      `a=b; ${cookie}; c=d`,
      `${cookie}; branchline-session=other.${'x'.repeat(43)}`,
      `branchline-session=other.${'x'.repeat(43)}~shop.${'y'.repeat(43)}~${value}`,
    ];
    for (const one of among)
      expect(await new Browser(server, { cookie: one }).whoAmI(), one).toMatchObject({ workspaceId: 'shop' });
    const first = new Browser(server, { cookie: `branchline-session=x; ${cookie}` });
    expect(await first.whoAmI()).toBe(401);
  });
});
