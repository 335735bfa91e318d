// @module-tag both-engines
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider } from '../../server/accounts/oidc/testing/fake-provider.ts';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { MINUTE, startOidcServer } from '../support/oidc-server.ts';
import { startTestServer } from '../support/server.ts';

/** The row of docs/decisions.md on the OIDC sign-in, "People", over HTTP and with a real provider. */

/** How a sign-in is refused that was begun elsewhere, is too old, or is over. */
const OVER = /was begun in another browser or more than 10 minutes ago, or is over already/;

const { addPerson, begin, clock, close, invite, provider, server, signIn } = await startOidcServer();
// Those who tried in the test before may try again.
beforeEach(() => (clock.now += 30 * MINUTE));
afterAll(close);

describe('OIDC sign-in', () => {
  /** Somebody who may sign in. */
  async function addInvited() {
    const person = addPerson();
    await invite(person.email);
    return person;
  }

  it('works once, also in the browser that kept its cookie', async () => {
    const { name } = await addInvited();
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
      fake.claims = () => ({ nonce: asked.get('nonce') });
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
    const { name } = await addInvited();
    const query = await new Browser(server).visitProvider(provider, name);
    const victim = new Browser(server);
    expectError(await victim.finishOidcSignIn(query), 410, OVER);
    await begin(victim);
    expectError(await victim.finishOidcSignIn(query), 410, OVER);
    expect(await victim.whoAmI()).toBe(401);
  });

  it.each<[string, (query: URLSearchParams) => void]>([
    ['no code', (query) => query.delete('code')],
    ['two codes', (query) => query.append('code', 'another')],
    ['a code and an error', (query) => query.append('error', 'access_denied')],
    ['another issuer', (query) => query.set('iss', 'https://another.example')],
    ['an id token', (query) => query.append('id_token', 'x')],
    ['two states', (query) => query.append('state', 'another')],
  ])(
    'is not finished by what no provider sends a browser back with (%s), and no fault of the provider',
    async (_what, spoil) => {
      const { name } = await addInvited();
      const own = new Browser(server);
      const query = new URLSearchParams(await own.visitProvider(provider, name));
      const spoilt = new URLSearchParams(query);
      spoil(spoilt);
      expectError(await own.finishOidcSignIn(String(spoilt)), 400, /is no answer of the sign-in provider/);
      expect((await own.finishOidcSignIn(String(query))).status).toBe(201);
    },
  );

  it('is finished in the workspace alone in which it was begun', async () => {
    const { name, email } = await addInvited();
    await invite(email, 'bank');
    const own = new Browser(server);
    const query = await own.visitProvider(provider, name);
    expectError(await own.finishOidcSignIn(query, 'bank'), 410, OVER);
    expectError(await own.finishOidcSignIn(query.replace('state=shop.', 'state=bank.'), 'bank'), 410, OVER);
    expect((await own.finishOidcSignIn(query)).status).toBe(201);
  });

  it('has 10 minutes', async () => {
    const { name } = await addInvited();
    const [early, late] = [new Browser(server), new Browser(server)];
    const [one, other] = [await early.visitProvider(provider, name), await late.visitProvider(provider, name)];
    clock.now += 10 * MINUTE - 1;
    expect((await early.finishOidcSignIn(one)).status).toBe(201);
    clock.now += 1;
    expectError(await late.finishOidcSignIn(other), 410, OVER);
  });

  it('is sealed: what is changed in its cookie is worth nothing', async () => {
    const { name } = await addInvited();
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
    const expires = new Date(clock.now + 10 * MINUTE).toUTCString();
    const value = String.raw`[\w-]+\.[\w-]{43}`;
    const rest = `Path=/; Expires=${expires}; HttpOnly`;
    const [header = ''] = plain.headers['set-cookie'] ?? [];
    expect(header).toMatch(new RegExp(`^branchline-oidc=${value}; ${rest}; SameSite=Lax$`));
    const secure = await begin(new Browser(server, { origin: 'https://web.example' }));
    const [secured = ''] = secure.headers['set-cookie'] ?? [];
    expect(secured).toMatch(new RegExp(`^__Host-branchline-oidc=${value}; ${rest}; Secure; SameSite=Lax$`));
  });

  it('over TLS goes by no cookie that another host of the domain could have set', async () => {
    const { name } = await addInvited();
    const own = new Browser(server);
    const query = await own.visitProvider(provider, name);
    const overTls = new Browser(server, { cookie: own.cookie ?? '', origin: 'https://web.example' });
    expectError(await overTls.finishOidcSignIn(query), 410, OVER);
  });

  it('begins a new session, in place of the one before in this browser', async () => {
    const { name } = await addInvited();
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
      const { name } = await addInvited();
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
    clock.now += 1_000;
    expect((await begin(from('192.0.2.1'))).status).toBe(201);
  });

  it.each<[string, (at: number) => string]>([
    ['a port', (at) => `198.51.100.1:${2000 + at}`],
    ['brackets and a port', (at) => `[2001:db8:7::1]:${2000 + at}`],
    ['something that is no address', (at) => `192.0.2.${at}, 0x${at}`],
  ])('is slowed down for who comes with %s each time, too', async (_which, nth) => {
    for (let at = 0; at < 60; at += 1)
      expect((await begin(new Browser(server, { 'x-forwarded-for': nth(at) }))).status).toBe(201);
    expectError(await begin(new Browser(server, { 'x-forwarded-for': nth(60) })), 429);
  });

  it('is of a workspace that there can be', async () => {
    for (const id of ['No%20where', 'a'.repeat(64)])
      expectError(await begin(new Browser(server), id), 404, /can be no workspace/);
  });
});
