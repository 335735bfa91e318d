// @module-tag both-engines
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { startProvider } from '../support/oidc-provider.ts';
import { MINUTE, startOidcServer } from '../support/oidc-server.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The row of docs/decisions.md on the OIDC provider, "People", over HTTP and with a real provider. */

const { addMember, addPerson, begin, clock, close, invite, log, provider, server, signIn } = await startOidcServer();
// Those who tried in the test before may try again.
beforeEach(() => (clock.now += 30 * MINUTE));
afterAll(close);

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
    const { name } = addPerson();
    const own = new Browser(alone);
    expectError(await own.finishOidcSignIn(await own.visitProvider(provider, name)), 502);
    expect(lines.join('')).toContain('check --oidc-client-id and the client secret (401');
    expect(lines.join('')).not.toContain(clientSecret);
    await alone.close();
  });

  it('may change its keys', async () => {
    const { name } = await addMember();
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
    const { name, email } = addPerson();
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
