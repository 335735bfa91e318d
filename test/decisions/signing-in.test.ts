// @module-tag both-engines
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Passwords } from '../../server/accounts/passwords.ts';
import { Browser, tokenOf } from '../support/browser.ts';
import { exchange } from '../support/exchange.ts';
import { expectError } from '../support/expect-error.ts';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';

const MINUTE = 60_000;
const PASSWORD = 'correct horse battery staple';
const GONE = /does not work: .* `branchline user link`.* `branchline user invite`/;

let server: TestServer;
let now = Date.UTC(2026, 0, 2);

beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
});
// Those who tried in the test before may try again.
beforeEach(() => (now += 60 * MINUTE));
afterAll(() => server.close());

const browser = (headers: Record<string, string> = {}) => new Browser(server, headers);
const path = (rest: string) => `${server.workspacePath}/${rest}`;

let people = 0;

/** Invites somebody new; the token of their link. */
async function invite(email = `ada-${(people += 1)}@example.com`, workspaceId = server.workspaceId) {
  const invited = await server.administration.users.invite({ workspaceId, email, role: 'editor', by: undefined });
  if (typeof invited === 'string') throw new Error(invited);
  return { email, userId: invited.user.userId, token: invited.link.token };
}

/** Somebody who has signed in for the first time, and their browser. */
async function member(email?: string, workspaceId = server.workspaceId, own = browser()) {
  const { token, ...invited } = await invite(email, workspaceId);
  expect((await own.signIn({ token, password: PASSWORD }, workspaceId)).status).toBe(201);
  return { ...invited, browser: own };
}

const linkFor = async (userId: string) => {
  const link = await server.administration.users.createLink({ workspaceId: 'shop', userId, by: undefined });
  return link === 'notFound' ? '' : link.token;
};
const check = (token: string, workspaceId = 'shop') =>
  browser().call('POST', `/workspaces/${workspaceId}/sign-in-links/check/v1`, { token });
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

describe('Sign-in link', () => {
  it('lets a person in once, who chooses a password', async () => {
    const { email, userId, token } = await invite();
    const expiresDate = new Date(now + 30 * MINUTE).toISOString();
    expect((await check(token)).json()).toEqual({ email, asksFor: ['password'], expiresDate });
    expectError(await browser().signIn({ token }), 400, /also takes a password/);
    const ada = browser();
    const entered = await ada.signIn({ token, password: PASSWORD });
    expect(entered.status).toBe(201);
    expect(entered.json()).toMatchObject({ workspaceId: 'shop', userId, email, role: 'editor' });
    expect(await ada.whoAmI()).toEqual(entered.json());
    for (const again of [await check(token), await browser().signIn({ token, password: PASSWORD })]) {
      expectError(again, 410, GONE);
    }
    expect((await browser().signIn({ email, password: PASSWORD })).status).toBe(201);
  });

  it('is answered with what is wrong with the password or the e-mail that comes with it', async () => {
    const { token } = await server.administration.users.createOpenLink('shop', 'viewer');
    const email = 'new@example.com';
    const short = await browser().signIn({ token, email, password: 'short' });
    expectError(short, 400, 'The field "password" of the body must have at least 12 characters.');
    // It would be the same as any other of as many.
    const halves = await browser().signIn({ token, email, password: '\ud800'.repeat(12) });
    expectError(halves, 400, /^The field "password" of the body must match the pattern .*ufffd/);
    const unlike = await browser().signIn({ token, email: 'new', password: PASSWORD });
    expectError(unlike, 400, 'The field "email" of the body must be an e-mail address, such as ada@example.com.');
  });

  it('works for 30 minutes', async () => {
    const { token } = await invite();
    now += 30 * MINUTE - 1;
    expect((await check(token)).status).toBe(200);
    now += 1;
    expectError(await check(token), 410, GONE);
    expectError(await browser().signIn({ token, password: PASSWORD }), 410, GONE);
  });

  it('lets one in of several who use it at once', async () => {
    const { token } = await invite();
    const tries = Array.from({ length: 4 }, () => browser().signIn({ token, password: PASSWORD }));
    expect(statuses(await Promise.all(tries))).toEqual([201, 410, 410, 410]);
    const open = await server.administration.users.createOpenLink('shop', 'admin');
    const join = ['x@example.com', 'y@example.com', 'z@example.com'].map((email) =>
      browser().signIn({ token: open.token, email, password: PASSWORD }),
    );
    expect(statuses(await Promise.all(join))).toEqual([201, 410, 410]);
    const { userId } = await member();
    const again = await linkFor(userId);
    const enter = Array.from({ length: 4 }, () => browser().signIn({ token: again }));
    expect(statuses(await Promise.all(enter))).toEqual([201, 410, 410, 410]);
  });

  it('of a person who has a password signs them in as it is; a new one voids those before', async () => {
    const { email, userId } = await member();
    const [first, second] = [await linkFor(userId), await linkFor(userId)];
    expectError(await check(first), 410, GONE);
    expect((await check(second)).json()).toMatchObject({ email, asksFor: [] });
    expect((await browser().signIn({ token: second })).status).toBe(201);
    expect((await browser().signIn({ email, password: PASSWORD })).status).toBe(201);
  });

  it('for nobody in particular takes an e-mail that nobody has, and a password', async () => {
    const { email } = await member();
    const { token } = await server.administration.users.createOpenLink('shop', 'admin');
    expect((await check(token)).json()).toMatchObject({ email: null, asksFor: ['email', 'password'] });
    expectError(await browser().signIn({ token }), 400, /your e-mail and a password/);
    const taken = await browser().signIn({ token, email: email.toUpperCase(), password: PASSWORD });
    expectError(taken, 409, /belongs to this workspace already/);
    const joined = await browser().signIn({ token, email: 'Grace@Example.com', password: PASSWORD });
    expect(joined.json()).toMatchObject({ email: 'Grace@Example.com', role: 'admin' });
    expectError(await check(token), 410, GONE);
  });

  it('of another workspace, or of none, is unknown', async () => {
    const { token } = await invite();
    await server.administration.workspaces.create('elsewhere');
    for (const workspaceId of ['elsewhere', 'nowhere', 'No%20where']) {
      expectError(await check(token, workspaceId), 410, GONE);
      expectError(await browser().signIn({ token, password: PASSWORD }, workspaceId), 410, GONE);
    }
  });

  it('is handed on by an admin, and opens the page of the workspace', async () => {
    const admin = browser({ cookie: (await server.signIn('admin')).cookie });
    const invited = await admin.call('POST', path('users/v1'), { email: 'eve@example.com', role: 'viewer' });
    const { user, signInLink } = invited.json() as { user: { userId: string }; signInLink: { signInUrl: string } };
    expect((await check(tokenOf(signInLink.signInUrl))).status).toBe(200);
    const another = await admin.call('POST', path(`users/${user.userId}/sign-in-links/v1`));
    expect((await check(tokenOf((another.json() as { signInUrl: string }).signInUrl))).status).toBe(200);
    expectError(await check(tokenOf(signInLink.signInUrl)), 410, GONE);
  });
});

describe('Password', () => {
  it('that is wrong is answered as an unknown e-mail, workspace or password is', async () => {
    const { email } = await member();
    const invited = await invite();
    const answers = [
      await browser().signIn({ email, password: 'something else entirely' }),
      await browser().signIn({ email: 'nobody@example.com', password: PASSWORD }),
      await browser().signIn({ email: invited.email, password: PASSWORD }),
      await browser().signIn({ email, password: PASSWORD }, 'nowhere'),
      await browser().signIn({ email, password: PASSWORD }, 'No%20where'),
    ];
    expectError(await browser().signIn({ email, password: PASSWORD }, 'no%00where'), 404);
    for (const answer of answers) {
      expectError(answer, 401, 'Unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Session realm="Branchline"');
      expect(answer.headers).not.toHaveProperty('set-cookie');
      expect(Object.keys(answer.headers)).toEqual(Object.keys(answers[0]?.headers ?? {}));
    }
  });

  it('goes with the e-mail in capital letters or small ones', async () => {
    await member('Ada.Lovelace@Example.com');
    for (const email of ['ada.lovelace@example.com', 'ADA.LOVELACE@EXAMPLE.COM']) {
      expect((await browser().signIn({ email, password: PASSWORD })).status).toBe(201);
    }
  });

  it('that is new ends the other sessions, and the old one', async () => {
    const { email, userId, browser: old } = await member();
    const own = browser();
    const token = await linkFor(userId);
    expect((await own.signIn({ token, password: 'another horse battery' })).status).toBe(201);
    expect(await old.whoAmI()).toBe(401);
    expect(await own.whoAmI()).toMatchObject({ userId });
    expectError(await browser().signIn({ email, password: PASSWORD }), 401);
    expect((await browser().signIn({ email, password: 'another horse battery' })).status).toBe(201);
  });

  it('is stored as argon2id, and no secret in clear', async () => {
    const { email, browser: own } = await member();
    const { db } = server.administration.storage;
    const person = db.selectFrom('users').select('password_hash').where('workspace_id', '=', 'shop');
    const row = await person.where('email_key', '=', email).executeTakeFirstOrThrow();
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    const sessions = await db.selectFrom('sessions').selectAll().where('workspace_id', '=', 'shop').execute();
    const token = own.cookie?.split('.').at(-1) ?? '';
    expect(token).toHaveLength(43);
    expect(JSON.stringify(sessions)).not.toContain(token);
  });
});

describe('Guessing', () => {
  it('from many addresses of one owner keeps nobody else waiting for long', async () => {
    const { email } = await member();
    // Nobody waits in vain before it is said.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const settled: number[] = [];
    const guess = async (n: number) => {
      const guesser = browser({ 'x-forwarded-for': `2001:db8:${n.toString(16)}::1` });
      const { status } = await guesser.signIn({ email: `nobody-${n}@example.com`, password: PASSWORD });
      settled.push(status);
    };
    const matches = vi.spyOn(Passwords.prototype, 'matches');
    const guesses = Array.from({ length: 150 }, (_, n) => guess(n));
    await expect.poll(() => matches.mock.calls.length).toBe(150);
    matches.mockRestore();
    const before = settled.length;
    const honest = browser({ 'x-forwarded-for': '192.0.2.1' });
    expect((await honest.signIn({ email, password: PASSWORD })).status).toBe(201);
    expect(settled.length - before).toBeLessThan(20);
    vi.advanceTimersByTime(600_000);
    await Promise.all(guesses);
    expect(settled.filter((status) => status === 503).length).toBeLessThan(150);
    expect([...new Set(settled)].every((status) => status === 401 || status === 503)).toBe(true);
  });

  const guess = (email: string, from: string, password = 'a wrong password', workspaceId = 'shop') =>
    browser({ 'x-forwarded-for': from }).signIn({ email, password }, workspaceId);

  it('is slowed down for an address, until time has passed', async () => {
    const { email } = await member();
    for (let at = 0; at < 20; at += 1) expectError(await guess(`guess-${at}@example.com`, '192.0.2.1'), 401);
    const refused = await guess(email, '192.0.2.1', PASSWORD);
    expectError(refused, 429, 'Too many tries to sign in. Try again in 10 seconds.');
    expect(refused.headers['retry-after']).toBe('10');
    expect((await guess(email, '192.0.2.2', PASSWORD)).status).toBe(201);
    expectError(await guess(email, '192.0.2.1', PASSWORD, 'nowhere'), 429);
    now += 10_000;
    expect((await guess(email, '192.0.2.1', PASSWORD)).status).toBe(201);
  });

  it('is slowed down for the network that a client has for itself', async () => {
    for (let at = 0; at < 20; at += 1) expectError(await guess(`v6-${at}@example.com`, `2001:db8:0:1::${at + 1}`), 401);
    expectError(await guess('v6@example.com', '2001:db8:0:1:ffff::'), 429);
    expectError(await guess('v6@example.com', '2001:db8:0:2::1'), 401);
  });

  it.each(['shop', 'nowhere'])(
    'is slowed down for an e-mail of the workspace %s, whether it is known or not',
    async (workspaceId) => {
      for (let at = 0; at < 20; at += 1)
        expectError(await guess('Victim@example.com', `198.51.100.${at}`, undefined, workspaceId), 401);
      expectError(await guess('victim@example.com', '198.51.100.99', undefined, workspaceId), 429, /in 5 seconds/);
      expectError(await guess('somebody.else@example.com', '198.51.100.99', undefined, workspaceId), 401);
    },
  );

  it('slows down no link', async () => {
    const { token, email } = await invite('slow@example.com');
    for (let at = 0; at < 20; at += 1) await guess(email, `203.0.113.${at}`);
    const neighbour = browser({ 'x-forwarded-for': '203.0.113.99' });
    for (let at = 0; at < 70; at += 1)
      expectError(await neighbour.signIn({ token: 'x'.repeat(43), password: PASSWORD }), 410);
    expectError(await guess(email, '203.0.113.99'), 429);
    expect((await browser({ 'x-forwarded-for': '203.0.113.99' }).signIn({ token, password: PASSWORD })).status).toBe(
      201,
    );
  });

  it('in a workspace that is not there keeps no more than so many buckets', async () => {
    const { guessing, keys } = await recorded();
    await Promise.all(Array.from({ length: 5_000 }, (_, at) => guessing.slowEmail(`w${at}`, false, 'a@b.example')));
    expect(keys.size).toBeGreaterThan(900);
    expect(keys.size).toBeLessThanOrEqual(1_024);
  });
});

async function recorded() {
  const { Guessing } = await import('../../server/accounts/guessing.ts');
  const keys = new Set<string>();
  const guessing = new Guessing({
    take: (key) => {
      keys.add(JSON.stringify(key));
      return { withinLimit: true, remaining: 1, resetSeconds: 1 };
    },
  });
  return { guessing, keys };
}

describe('Foreign page', () => {
  it.each<[from: string, headers: () => Record<string, string>, status: number]>([
    ['another site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['another host of the site', () => ({ 'sec-fetch-site': 'same-site' }), 403],
    ['the address bar', () => ({ 'sec-fetch-site': 'none' }), 403],
    ['another site, in an old browser', () => ({ origin: 'https://evil.example' }), 403],
    ['our own page', () => ({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }), 201],
    ['our own page, in an old browser', () => ({ origin: server.origin }), 201],
    ['no browser', () => ({}), 403],
  ])('%s', async (_from, headers, status) => {
    const call = (to: string, json: unknown, cookie?: string) =>
      exchange(server.origin, {
        method: 'POST',
        path: path(to),
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json', ...headers(), ...(cookie === undefined ? {} : { cookie }) },
      });
    const { token } = await invite();
    const checked = await call('sign-in-links/check/v1', { token });
    expect(checked.status).toBe(status === 201 ? 200 : 403);
    expect((await call('sessions/v1', { token, password: PASSWORD })).status).toBe(status);
    const signedIn = await server.signIn('editor');
    // What a page over TLS is signed in by.
    const isOverTls = headers()['origin']?.startsWith('https:') === true;
    const cookie = isOverTls ? `__Host-${signedIn.cookie}` : signedIn.cookie;
    const created = await call('branches/v1', { name: `by-page-${(people += 1)}` }, cookie);
    expect(created.status).toBe(status);
    if (status === 403) expect(String(created.bytes)).toMatch(/^{"error":".*page of (another site|this service)/);
  });
});
