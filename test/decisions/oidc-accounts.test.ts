// @module-tag both-engines
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { MINUTE, startOidcServer } from '../support/oidc-server.ts';

/** The row of docs/decisions.md on the OIDC account, "People", over HTTP and with a real provider. */

const PASSWORD = 'correct horse battery staple';

const { addMember, addPerson, clock, close, invite, provider, server, signIn } = await startOidcServer();
// Those who tried in the test before may try again.
beforeEach(() => (clock.now += 30 * MINUTE));
afterAll(close);

describe('OIDC account', () => {
  it('is the one that was invited with the verified e-mail, and needs no password', async () => {
    const { name, email } = addPerson({ email: 'Ada.Lovelace@Example.com' });
    const { userId } = await invite('ada.lovelace@example.com');
    const own = new Browser(server);
    const entered = await signIn(name, { own });
    expect(entered.status).toBe(201);
    expect(entered.json()).toMatchObject({ workspaceId: 'shop', userId, email: email.toLowerCase(), role: 'editor' });
    expect(await own.whoAmI()).toEqual(entered.json());
    expect((await signIn(name)).json()).toMatchObject({ userId });
  });

  it('is nobody’s who was not invited; an unknown workspace is answered alike', async () => {
    const { name, email } = addPerson();
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
    const { name, email } = addPerson(claims);
    await invite(email);
    for (const workspaceId of ['shop', 'nowhere']) {
      expectError(await signIn(name, { workspaceId }), 403, /does not say that your e-mail is verified/);
    }
  });

  it.each([
    ['a letter and its accent apart', 'ame\u0301lie@example.com'],
    ['the Kelvin sign', 'jac\u212a@example.com'],
    ['a blank at its end', 'ada@example.com '],
  ])('is opened by no verified e-mail with %s, and the answer says so', async (_what, email) => {
    const { name } = addPerson({ email });
    for (const workspaceId of ['shop', 'nowhere']) {
      expectError(
        await signIn(name, { workspaceId }),
        403,
        /^The provider gives an e-mail that no account here can have: /,
      );
    }
  });

  it('stays bound to the identity, whatever happens to the e-mail at the provider', async () => {
    const ada = await addMember();
    const grace = addPerson();
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
    const { name, userId } = await addMember();
    await ofTest(server.administration.storage).write((tx) =>
      tx
        .updateTable('users')
        .set({ oidc_issuer: 'https://before.example', oidc_subject: 'before' })
        .where('workspace_id', '=', 'shop')
        .where('user_id', '=', userId)
        .execute(),
    );
    expect((await signIn(name)).json()).toMatchObject({ userId });
  });

  it('is in one workspace: what is bound there opens nothing in another', async () => {
    const { name, email } = await addMember();
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
    const { name, email } = addPerson();
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
    const { userId, email, name } = await addMember();
    for (const password of [undefined, PASSWORD]) {
      const link = await server.administration.users.createLink({ workspaceId: 'shop', userId, by: undefined });
      const token = typeof link === 'string' ? link : link.token;
      const checked = await new Browser(server).call('POST', '/workspaces/shop/sign-in-links/check/v1', { token });
      expect(checked.json()).toMatchObject({ email, asksFor: [] });
      expect((await new Browser(server).signIn({ token, password })).status).toBe(201);
    }
    expect((await new Browser(server).signIn({ email, password: PASSWORD })).status).toBe(201);
    expect((await signIn(name)).status).toBe(201);
    expect((await new Browser(server).signIn({ email, password: PASSWORD })).status).toBe(201);
  });

  it('of somebody who was removed is gone, and bound again when they are invited again', async () => {
    const { name, email, userId, own } = await addMember();
    await server.administration.users.remove({ workspaceId: 'shop', userId, by: undefined });
    expect(await own.whoAmI()).toBe(401);
    expectError(await signIn(name), 403, /has not been invited/);
    const again = await invite(email);
    expect((await signIn(name)).json()).toMatchObject({ userId: again.userId });
  });

  it('has a line in the audit log when somebody joins by it, and when one is bound who was there before', async () => {
    const admin = new Browser(server, { cookie: (await server.signIn('admin')).cookie });
    const acts = async (email: string) => {
      const { lines } = (await admin.call('GET', '/workspaces/shop/audit/v1')).json() as {
        lines: Record<string, unknown>[];
      };
      const own = lines.filter(({ subject }) => String(subject).startsWith(`${email} `)).toReversed();
      return own.map(({ actorEmail, act, subject }) => [actorEmail, act, subject]);
    };
    const of = `of ${provider.settings.issuer}`;
    const { email, sub, name } = await addMember();
    clock.now += 1;
    await signIn(name);
    expect(await acts(email)).toEqual([
      [null, 'userInvited', `${email} as editor`],
      [email, 'userJoined', `${email} as editor, bound to ${sub} ${of}`],
    ]);
    const other = addPerson();
    const { token } = await invite(other.email);
    clock.now += 1;
    await new Browser(server).signIn({ token, password: PASSWORD });
    clock.now += 1;
    await signIn(other.name);
    expect(await acts(other.email)).toEqual([
      [null, 'userInvited', `${other.email} as editor`],
      [other.email, 'userJoined', `${other.email} as editor`],
      [other.email, 'identityBound', `${other.email} to ${other.sub} ${of}`],
    ]);
  });
});
