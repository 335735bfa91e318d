// @module-tag both-engines
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../server/accounts/principals.ts';
import { startFakeProvider } from '../../server/accounts/oidc/testing/fake-provider.ts';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { type ProviderPerson, startProvider, type TestProvider } from '../support/oidc-provider.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md on OIDC, "People", over HTTP and with a real provider. */

const MINUTE = 60_000;
const PASSWORD = 'correct horse battery staple';
const OVER = /was begun in another browser or more than 10 minutes ago, or is over already/;

let provider: TestProvider;
let server: TestServer;
let now = Date.UTC(2026, 0, 2);
const log: string[] = [];

beforeAll(async () => {
  provider = await startProvider();
  server = await startTestServer({
    clock: () => now,
    oidc: provider.settings,
    log: { write: (line) => log.push(line) },
    logLevel: 'trace',
  });
  await server.administration.workspaces.create('bank');
});
// Those who tried in the test before may try again.
beforeEach(() => (now += 30 * MINUTE));
afterAll(async () => {
  await server.close();
  await provider.close();
});

const path = (rest: string, workspaceId = 'shop') => `/workspaces/${workspaceId}/${rest}`;
const begin = (own = new Browser(server), workspaceId = 'shop') =>
  own.call('POST', path('oidc-sign-ins/v1', workspaceId));

let people = 0;

/** Somebody whom the provider knows, by the name with which they sign in there. */
function personAtProvider(claims: Partial<ProviderPerson> = {}): { name: string; email: string; sub: string } {
  const name = `ada-${(people += 1)}`;
  const person = { sub: `subject-${people}`, email: `${name}@example.com`, email_verified: true, ...claims };
  provider.people.set(name, person);
  return { name, email: person.email, sub: person.sub };
}

async function invite(email: string, workspaceId = 'shop', role: Role = 'editor') {
  const invited = await server.administration.users.invite({ workspaceId, email, role, by: undefined });
  if (typeof invited === 'string') throw new Error(invited);
  return { userId: invited.user.userId, token: invited.link.token };
}

/** Goes to the provider and comes back. */
async function signIn(name: string, { own = new Browser(server), workspaceId = 'shop' } = {}) {
  return own.finishOidcSignIn(await own.visitProvider(provider, name, workspaceId), workspaceId);
}

/** Somebody who was invited, and has signed in at the provider. */
async function member() {
  const person = personAtProvider();
  const { userId } = await invite(person.email);
  const own = new Browser(server);
  now += 1;
  expect((await signIn(person.name, { own })).status).toBe(201);
  return { ...person, userId, own };
}

describe('OIDC account', () => {
  it('is the one that was invited with the verified e-mail, and needs no password', async () => {
    const { name, email } = personAtProvider({ email: 'Ada.Lovelace@Example.com' });
    const { userId } = await invite('ada.lovelace@example.com');
    const own = new Browser(server);
    const entered = await signIn(name, { own });
    expect(entered.status).toBe(201);
    expect(entered.json()).toMatchObject({ workspaceId: 'shop', userId, email: email.toLowerCase(), role: 'editor' });
    expect(await own.whoAmI()).toEqual(entered.json());
    expect((await signIn(name)).json()).toMatchObject({ userId });
  });

  it('is nobody’s who was not invited; an unknown workspace is answered alike', async () => {
    const { name, email } = personAtProvider();
    for (const workspaceId of ['shop', 'nowhere']) {
      const sentence = `${email} has not been invited to the workspace ${workspaceId}, or there is no such workspace. Ask one of its admins.`;
      expectError(await signIn(name, { workspaceId }), 403, sentence);
    }
    expect(await server.administration.users.findByEmail('shop', email)).toBeUndefined();
  });

  it.each([
    ['false', { email_verified: false }],
    ['a text', { email_verified: 'true' }],
  ])('is opened by no e-mail of which the provider says %s', async (_what, claims) => {
    const { name, email } = personAtProvider(claims);
    await invite(email);
    for (const workspaceId of ['shop', 'nowhere']) {
      expectError(await signIn(name, { workspaceId }), 403, /does not say that your e-mail is verified/);
    }
  });

  it('stays bound to the identity, whatever happens to the e-mail at the provider', async () => {
    const ada = await member();
    const grace = personAtProvider();
    await invite(grace.email);
    // Ada takes an e-mail that somebody else was invited with.
    provider.people.set(ada.name, { sub: ada.sub, email: grace.email, email_verified: true });
    expect((await signIn(ada.name)).json()).toMatchObject({ userId: ada.userId, email: ada.email });
    provider.people.set(ada.name, { sub: ada.sub, email: ada.email, email_verified: false });
    expect((await signIn(ada.name)).json()).toMatchObject({ userId: ada.userId });
    // Somebody else gets the e-mail that was hers.
    provider.people.set(grace.name, { sub: grace.sub, email: ada.email, email_verified: true });
    expectError(await signIn(grace.name), 403, /^ada-\d+@example\.com is bound to another identity of the provider\./);
  });

  it('is bound anew where the operator has named another provider', async () => {
    const { name, userId } = await member();
    await ofTest(server.administration.storage)
      .db.updateTable('users')
      .set({ oidc_issuer: 'https://before.example', oidc_subject: 'before' })
      .where('workspace_id', '=', 'shop')
      .where('user_id', '=', userId)
      .execute();
    expect((await signIn(name)).json()).toMatchObject({ userId });
  });

  it('is in one workspace: what is bound there opens nothing in another', async () => {
    const { name, email } = await member();
    expectError(await signIn(name, { workspaceId: 'bank' }), 403, /has not been invited to the workspace bank/);
    const { userId } = await invite(email, 'bank', 'viewer');
    const own = new Browser(server);
    expect((await signIn(name, { own, workspaceId: 'bank' })).json()).toMatchObject({ userId, role: 'viewer' });
    expect([await own.whoAmI('bank'), await own.whoAmI('shop')]).toEqual([expect.objectContaining({ userId }), 401]);
    // In the same browser both.
    expect((await signIn(name, { own })).status).toBe(201);
    expect(await own.whoAmI('bank')).toMatchObject({ userId });
  });

  it('loses, by the first sign-in, the password, sessions and links that somebody else may have', async () => {
    const { name, email } = personAtProvider();
    const { token } = await server.administration.users.createOpenLink('shop', 'viewer');
    const thief = new Browser(server);
    expect((await thief.signIn({ token, email, password: PASSWORD })).status).toBe(201);
    const { userId } = (await thief.whoAmI()) as { userId: string };
    const link = await server.administration.users.createLink({ workspaceId: 'shop', userId, by: undefined });
    expect((await signIn(name)).json()).toMatchObject({ userId });
    expect(await thief.whoAmI()).toBe(401);
    expectError(await thief.signIn({ email, password: PASSWORD }), 401);
    expectError(await thief.signIn({ token: typeof link === 'string' ? link : link.token }), 410);
  });

  it('can be entered with a link too, which asks for nothing, and takes a password', async () => {
    const { userId, email, name } = await member();
    for (const password of [undefined, PASSWORD]) {
      const link = await server.administration.users.createLink({ workspaceId: 'shop', userId, by: undefined });
      const token = typeof link === 'string' ? link : link.token;
      const checked = await new Browser(server).call('POST', path('sign-in-links/check/v1'), { token });
      expect(checked.json()).toMatchObject({ email, asksFor: [] });
      expect((await new Browser(server).signIn({ token, password })).status).toBe(201);
    }
    expect((await new Browser(server).signIn({ email, password: PASSWORD })).status).toBe(201);
    expect((await signIn(name)).status).toBe(201);
    expect((await new Browser(server).signIn({ email, password: PASSWORD })).status).toBe(201);
  });

  it('of somebody who was removed is gone, and bound again when they are invited again', async () => {
    const { name, email, userId, own } = await member();
    await server.administration.users.remove({ workspaceId: 'shop', userId, by: undefined });
    expect(await own.whoAmI()).toBe(401);
    expectError(await signIn(name), 403, /has not been invited/);
    const again = await invite(email);
    expect((await signIn(name)).json()).toMatchObject({ userId: again.userId });
  });

  it('has a line in the audit log when somebody joins by it, and when one is bound who was there before', async () => {
    const admin = new Browser(server, { cookie: (await server.signIn('admin')).cookie });
    const acts = async (email: string) => {
      const { lines } = (await admin.call('GET', path('audit/v1'))).json() as { lines: Record<string, unknown>[] };
      const own = lines.filter(({ subject }) => String(subject).startsWith(`${email} `)).toReversed();
      return own.map(({ actorEmail, act, subject }) => [actorEmail, act, subject]);
    };
    const of = `of ${provider.settings.issuer}`;
    const { email, sub, name } = await member();
    now += 1;
    await signIn(name);
    expect(await acts(email)).toEqual([
      [null, 'userInvited', `${email} as editor`],
      [email, 'userJoined', `${email} as editor, bound to ${sub} ${of}`],
    ]);
    const other = personAtProvider();
    const { token } = await invite(other.email);
    now += 1;
    await new Browser(server).signIn({ token, password: PASSWORD });
    now += 1;
    await signIn(other.name);
    expect(await acts(other.email)).toEqual([
      [null, 'userInvited', `${other.email} as editor`],
      [other.email, 'userJoined', `${other.email} as editor`],
      [other.email, 'identityBound', `${other.email} to ${other.sub} ${of}`],
    ]);
  });
});

describe('OIDC sign-in', () => {
  /** Somebody who may sign in. */
  async function invited() {
    const person = personAtProvider();
    await invite(person.email);
    return person;
  }

  it('works once, also in the browser that kept its cookie', async () => {
    const { name } = await invited();
    const own = new Browser(server);
    const query = await own.visitProvider(provider, name);
    const before = own.cookie ?? '';
    expect((await own.finishOidcSignIn(query)).status).toBe(201);
    expect(own.cookie).toMatch(/^branchline-session=[^;]+$/);
    expectError(await own.finishOidcSignIn(query), 410, OVER);
    expectError(await new Browser(server, { cookie: before }).finishOidcSignIn(query), 410, OVER);
  });

  it('works once, also where the provider takes a code again, and however many come back at once', async () => {
    const fake = await startFakeProvider('');
    const other = await startTestServer({ oidc: fake.settings });
    try {
      const { users } = other.administration;
      await users.invite({ workspaceId: 'shop', email: 'ada@example.com', role: 'editor', by: undefined });
      const own = new Browser(other);
      const { authorizationUrl } = (await begin(own)).json() as { authorizationUrl: string };
      const asked = new URL(authorizationUrl).searchParams;
      fake.claims = { nonce: asked.get('nonce') };
      const query = `code=the-code&state=${asked.get('state')}`;
      const cookie = own.cookie ?? '';
      const back = () => new Browser(other, { cookie }).finishOidcSignIn(query);
      const statuses = (await Promise.all(Array.from({ length: 8 }, back))).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 410)]);
      expectError(await back(), 410, OVER);
    } finally {
      await other.close();
      await fake.close();
    }
  });

  it('is finished by the browser alone that began it', async () => {
    const { name } = await invited();
    const query = await new Browser(server).visitProvider(provider, name);
    const victim = new Browser(server);
    expectError(await victim.finishOidcSignIn(query), 410, OVER);
    await begin(victim);
    expectError(await victim.finishOidcSignIn(query), 410, OVER);
    expect(await victim.whoAmI()).toBe(401);
  });

  it('is finished in the workspace alone in which it was begun', async () => {
    const { name, email } = await invited();
    await invite(email, 'bank');
    const own = new Browser(server);
    const query = await own.visitProvider(provider, name);
    expectError(await own.finishOidcSignIn(query, 'bank'), 410, OVER);
    expectError(await own.finishOidcSignIn(query.replace('state=shop.', 'state=bank.'), 'bank'), 410, OVER);
    expect((await own.finishOidcSignIn(query)).status).toBe(201);
  });

  it('has 10 minutes', async () => {
    const { name } = await invited();
    const [early, late] = [new Browser(server), new Browser(server)];
    const [one, other] = [await early.visitProvider(provider, name), await late.visitProvider(provider, name)];
    now += 10 * MINUTE - 1;
    expect((await early.finishOidcSignIn(one)).status).toBe(201);
    now += 1;
    expectError(await late.finishOidcSignIn(other), 410, OVER);
  });

  it('is sealed: what is changed in its cookie is worth nothing', async () => {
    const { name } = await invited();
    const own = new Browser(server);
    const query = await own.visitProvider(provider, name);
    const cookie = own.cookie ?? '';
    const [content = '', seal = ''] = cookie.replace('branchline-oidc=', '').split('.');
    const attempt = JSON.parse(Buffer.from(content, 'base64url').toString());
    const longer = Buffer.from(JSON.stringify({ ...attempt, expiresAt: attempt.expiresAt + 1 })).toString('base64url');
    for (const value of [`${longer}.${seal}`, content, `${content}.${seal.slice(1)}`, `.${seal}`, '']) {
      const tampered = new Browser(server, { cookie: `branchline-oidc=${value}` });
      expectError(await tampered.finishOidcSignIn(query), 410, OVER);
    }
    expect((await new Browser(server, { cookie }).finishOidcSignIn(query)).status).toBe(201);
  });

  it.each(['', 'state=', 'code=x', 'code=x&state=shop.x', '%', '?#&=&&', 'state=shop.x&state=shop.y'])(
    'that comes back with “%s” is none',
    async (query) => {
      const own = new Browser(server);
      await begin(own);
      expectError(await own.finishOidcSignIn(query), 410, OVER);
    },
  );

  it('that was not agreed to at the provider says so', async () => {
    const own = new Browser(server);
    const { authorizationUrl } = (await begin(own)).json() as { authorizationUrl: string };
    expectError(await own.finishOidcSignIn(await provider.refuse(authorizationUrl)), 403, /was not agreed to/);
  });

  it('comes back to the address of the settings, whatever a request says', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const answer = await begin(new Browser(server, headers));
    const { authorizationUrl } = answer.json() as { authorizationUrl: string };
    const { origin, searchParams } = new URL(authorizationUrl);
    expect(origin).toBe(provider.settings.issuer);
    expect(searchParams.get('redirect_uri')).toBe('https://web.example/sign-in/oidc');
    expect(searchParams.get('code_challenge_method')).toBe('S256');
  });

  it('is begun at that address alone, where its cookie will be sent along', async () => {
    const answer = await begin(new Browser(server, { origin: 'http://127.0.0.1:3000' }));
    expectError(
      answer,
      409,
      'The provider sends browsers back to https://web.example. Open the page there, and sign in again.',
    );
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('is kept by a cookie that no script reads, over TLS by one of this very host', async () => {
    const plain = await begin();
    const expires = new Date(now + 10 * MINUTE).toUTCString();
    const value = String.raw`[\w-]+\.[\w-]{43}`;
    const rest = `Path=/; Expires=${expires}; HttpOnly`;
    const [header = ''] = plain.headers['set-cookie'] ?? [];
    expect(header).toMatch(new RegExp(`^branchline-oidc=${value}; ${rest}; SameSite=Lax$`));
    const secure = await begin(new Browser(server, { origin: 'https://web.example' }));
    const [secured = ''] = secure.headers['set-cookie'] ?? [];
    expect(secured).toMatch(new RegExp(`^__Host-branchline-oidc=${value}; ${rest}; Secure; SameSite=Lax$`));
  });

  it('over TLS goes by no cookie that another host of the domain could have set', async () => {
    const { name } = await invited();
    const own = new Browser(server);
    const query = await own.visitProvider(provider, name);
    const overTls = new Browser(server, { cookie: own.cookie ?? '', origin: 'https://web.example' });
    expectError(await overTls.finishOidcSignIn(query), 410, OVER);
  });

  it('begins a new session, in place of the one before in this browser', async () => {
    const { name } = await invited();
    const planted = `branchline-session=shop.${'A'.repeat(43)}`;
    const own = new Browser(server, { cookie: planted });
    expect((await signIn(name, { own })).status).toBe(201);
    expect(own.cookie).not.toContain('AAAA');
    const first = own.cookie ?? '';
    expect((await signIn(name, { own })).status).toBe(201);
    expect(own.cookie).not.toBe(first);
    expect(await new Browser(server, { cookie: first }).whoAmI()).toBe(401);
  });

  it.each(['cross-site', 'same-site', 'none'])(
    'is neither begun nor finished by a page of another site: %s',
    async (site) => {
      const { name } = await invited();
      const own = new Browser(server);
      const query = await own.visitProvider(provider, name);
      const foreign = new Browser(server, { cookie: own.cookie ?? '', 'sec-fetch-site': site });
      expectError(await begin(foreign), 403, /page of another site/);
      expectError(await foreign.finishOidcSignIn(query), 403, /page of another site/);
    },
  );

  it('is slowed down for who begins, or comes back, too often', async () => {
    const from = (address: string) => new Browser(server, { 'x-forwarded-for': address });
    for (let at = 0; at < 30; at += 1) {
      expect((await begin(from('192.0.2.1'))).status).toBe(201);
      expectError(await from('192.0.2.1').finishOidcSignIn('code=x'), 410);
    }
    expectError(await begin(from('192.0.2.1')), 429, 'Too many tries to sign in. Try again in a second.');
    expectError(await from('192.0.2.1').finishOidcSignIn('code=x'), 429);
    expect((await begin(from('192.0.2.2'))).status).toBe(201);
    now += 1_000;
    expect((await begin(from('192.0.2.1'))).status).toBe(201);
  });

  it('is of a workspace that there can be', async () => {
    for (const id of ['No%20where', 'a'.repeat(64)])
      expectError(await begin(new Browser(server), id), 404, /can be no workspace/);
  });
});

describe('OIDC provider', () => {
  const ways = async (own: TestServer) => (await own.call({ path: '/sign-in-ways/v1', as: null })).json();

  it('is named to whoever wants to sign in', async () => {
    expect(await ways(server)).toEqual({ oidcProvider: new URL(provider.settings.issuer).host });
  });

  it('is none unless the operator names one', async () => {
    const without = await startTestServer();
    expect(await ways(without)).toEqual({ oidcProvider: null });
    const own = new Browser(without);
    for (const answer of [await begin(own), await own.finishOidcSignIn('code=x&state=shop.x')]) {
      expectError(answer, 404, 'This server has no OIDC provider. Sign in with a password or a sign-in link.');
    }
    await without.close();
  });

  it('that is away keeps nobody from other ways in, and the log says why', async () => {
    const lines: string[] = [];
    const gone = await startProvider();
    await gone.close();
    const oidc = gone.settings;
    const alone = await startTestServer({ oidc, log: { write: (line) => lines.push(line) } });
    expectError(
      await begin(new Browser(alone)),
      502,
      /^The sign-in provider can't be used now\..*the log of this server says why\.$/,
    );
    expect(lines.filter((line) => line.includes('OIDC')).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: 'the OIDC provider could not be used',
        provider: new URL(oidc.issuer).host,
        reason: "it can't be reached (ECONNREFUSED)",
        requestId: expect.any(String),
      }),
    ]);
    await alone.close();
  });

  it('that takes another client secret lets nobody in, and the log names the setting', async () => {
    const lines: string[] = [];
    const clientSecret = 'a wrong secret of this test';
    const oidc = { ...provider.settings, clientSecret };
    const alone = await startTestServer({ oidc, log: { write: (line) => lines.push(line) }, logLevel: 'trace' });
    const { name } = personAtProvider();
    const own = new Browser(alone);
    expectError(await own.finishOidcSignIn(await own.visitProvider(provider, name)), 502);
    expect(lines.join('')).toContain('check --oidc-client-id and the client secret (401');
    expect(lines.join('')).not.toContain(clientSecret);
    await alone.close();
  });

  it('may change its keys', async () => {
    const { name } = await member();
    provider.rotateKeys();
    await signIn(name);
    expect((await signIn(name)).status).toBe(201);
  });

  it('may say the e-mail in the ID token', async () => {
    const other = await startProvider({ emailInIdToken: true });
    const alone = await startTestServer({ oidc: other.settings });
    other.people.set('ada', { sub: 'x', email: 'ada@example.com', email_verified: true });
    const { users } = alone.administration;
    await users.invite({ workspaceId: 'shop', email: 'ada@example.com', role: 'viewer', by: undefined });
    const own = new Browser(alone);
    expect((await own.finishOidcSignIn(await own.visitProvider(other, 'ada'))).status).toBe(201);
    await alone.close();
    await other.close();
  });

  it('leaves no code, token or secret in the log, at its finest level', async () => {
    const { name, email } = personAtProvider();
    await invite(email);
    const own = new Browser(server);
    const query = await own.visitProvider(provider, name);
    const before = own.cookie ?? '';
    await server.call({ path: `/sign-in/oidc?${query}`, as: null });
    expect((await own.finishOidcSignIn(query)).status).toBe(201);
    await new Browser(server, { cookie: before }).finishOidcSignIn(query);
    const { state, nonce, codeVerifier } = JSON.parse(
      Buffer.from(before.split(/[=.]/)[1] ?? '', 'base64url').toString(),
    );
    const code = new URLSearchParams(query).get('code');
    const written = log.join('');
    expect(written).toContain('finishOidcSignIn');
    const session = own.cookie?.split('.').at(-1);
    for (const secret of [code, state, nonce, codeVerifier, provider.settings.clientSecret, session, email]) {
      expect(secret).toMatch(/.{10}/);
      expect(written).not.toContain(secret);
    }
  });
});
