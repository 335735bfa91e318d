// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

/** The rows "Headers of proxies" and "Frames" of docs/decisions.md, "Requests and errors", over HTTP. */

const PASSWORD = 'correct horse battery staple';

/** What a client may send, or a proxy that passes on what clients send. */
const FORGED = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-server': 'evil.example',
  'x-original-host': 'evil.example',
  'x-host': 'evil.example',
  'x-forwarded-prefix': '/evil',
  forwarded: 'for=192.0.2.1;host=evil.example;proto=https',
};

/** Invites somebody, and signs them in. */
async function signIn(server: TestServer, email: string, headers: Record<string, string>) {
  const { users } = server.administration;
  const invited = await users.invite({ workspaceId: 'shop', email, role: 'viewer', by: undefined });
  if (typeof invited === 'string') throw new Error(invited);
  return new Browser(server, headers).signIn({ token: invited.link.token, password: PASSWORD });
}

describe('Headers of proxies', () => {
  let server: TestServer;
  // Whoever is slowed down stays so, however long passwords take to be checked.
  const clock = () => Date.UTC(2026, 0, 2);
  beforeAll(async () => {
    server = await startTestServer({ clock });
  });
  afterAll(() => server.close());

  it('name no host that a link leads to: neither those of sign-in links nor those of branches', async () => {
    const headers = { host: 'evil.example', ...FORGED };
    const { cookie } = await server.signIn('admin');
    const admin = new Browser(server, { cookie, ...headers });
    const invited = await admin.call('POST', `${server.workspacePath}/users/v1`, {
      email: 'eve@b.example',
      role: 'viewer',
    });
    expect(invited.status, invited.text).toBe(201);
    expect(invited.text).toContain('"https://web.example/sign-in#shop.');
    const created = await server.call({
      method: 'POST',
      path: `${server.workspacePath}/branches/v1`,
      json: { name: 'not-evil' },
      headers,
    });
    expect(created.json()).toMatchObject({
      branchUrl: expect.stringMatching(/^https:\/\/web\.example\/schemas\/shop\//),
    });
    for (const path of ['/', '/sign-in', '/nothing', '/docs', '/docs/openapi.json']) {
      const answer = await server.call({ path, as: null, headers: { accept: 'text/html', ...headers } });
      expect(JSON.stringify([answer.headers, answer.text]), path).not.toContain('evil.example');
    }
  });

  /** Twenty guesses, each from another address if the headers are to be believed, and one more. */
  async function guesses(target: TestServer, email: string): Promise<number> {
    const guess = (address: string) =>
      new Browser(target, { 'x-forwarded-for': address }).signIn({ email, password: 'a wrong password' });
    for (let at = 1; at <= 20; at += 1) expectError(await guess(`192.0.2.${at}`), 401);
    return (
      await new Browser(target, { 'x-forwarded-for': '192.0.2.99' }).signIn({ email: `x${email}`, password: PASSWORD })
    ).status;
  }

  it.each<[string, TestServerOptions, number, boolean]>([
    ['of one that is named', { trustedProxies: '127.0.0.1' }, 401, true],
    ['of one that is not', { trustedProxies: '198.51.100.7' }, 429, false],
  ])('%s say where a client comes from, and how, or not', async (_which, options, another, isSecure) => {
    const other = await startTestServer({ clock, ...options });
    expect(await guesses(other, 'victim@example.com')).toBe(another);
    const answer = await signIn(other, 'ada@example.com', {
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '192.0.2.50',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['set-cookie']?.[0]?.startsWith('__Host-')).toBe(isSecure);
    await other.close();
  });

  it('tell of several only what the last of them was told by no proxy that is named', async () => {
    // The client claims the first address; the proxy adds where it really comes from.
    for (let at = 1; at <= 20; at += 1) {
      const chained = new Browser(server, { 'x-forwarded-for': `192.0.2.${at}, 203.0.113.7` });
      expectError(await chained.signIn({ email: `c${at}@example.com`, password: PASSWORD }), 401);
    }
    const again = new Browser(server, { 'x-forwarded-for': '192.0.2.77, 203.0.113.7' });
    expectError(await again.signIn({ email: 'c@example.com', password: PASSWORD }), 429);
  });

  it.each<[string, (at: number) => string, string]>([
    ['with a port', (at) => `198.51.100.1:${2000 + at}`, '198.51.100.1'],
    ['of IPv6 with a port', (at) => `[2001:db8:7::${at}]:${2000 + at}`, '2001:db8:7::'],
    ['of IPv6 with a zone', (at) => `fe80:7::1%eth${at}`, 'fe80:7::1'],
    ['of IPv4 as of IPv6', (at) => `[::ffff:198.51.100.2]:${2000 + at}`, '::ffff:c633:6402'],
    [
      'behind a proxy that is named with its port',
      (at) => `198.51.100.3:${2000 + at}, 127.0.0.1:${at}`,
      '198.51.100.3',
    ],
    ['behind more proxies than are read', (at) => `192.0.2.${at}, ${'127.0.0.1, '.repeat(19)}127.0.0.1`, '127.0.0.1'],
    // The connection's own: the proxy's.
    ['that is none', (at) => `192.0.2.${at}, ${['0x63040203', '1661207043', 'me'][at % 3]}`, '127.0.0.1'],
  ])('count an address %s once', async (_which, nth, again) => {
    const other = await startTestServer({ clock, trustedProxies: '127.0.0.1' });
    const from = (address: string, at: number) =>
      new Browser(other, { 'x-forwarded-for': address }).signIn({ email: `${at}@example.com`, password: PASSWORD });
    for (let at = 1; at <= 20; at += 1) expectError(await from(nth(at), at), 401);
    expectError(await from(again, 21), 429);
    expectError(await from('198.51.100.99', 22), 401);
    await other.close();
  });
});

describe('Frames', () => {
  it('of other sites show nothing that the server answers', async () => {
    const server = await startTestServer();
    const { cookie } = await server.signIn('viewer');
    const asked: [path: string, headers: Record<string, string>, status: number][] = [
      ['/', { accept: 'text/html' }, 200],
      ['/sign-in', { accept: 'text/html' }, 200],
      ['/schemas/shop/branches', { accept: 'text/html' }, 200],
      ['/nothing', { accept: 'text/html' }, 404],
      ['/nothing', { accept: 'application/json' }, 404],
      ['/docs', { accept: 'text/html' }, 200],
      ['/livez', {}, 200],
      [`${server.workspacePath}/users/v1`, { cookie }, 200],
      [`${server.workspacePath}/branches/export/v1`, { cookie }, 200],
      [`${server.workspacePath}/audit/v1`, { cookie }, 403],
      [`${server.workspacePath}/branches/v1`, {}, 401],
    ];
    for (const [path, headers, status] of asked) {
      const answer = await server.call({ path, as: null, headers });
      expect(answer.status, path).toBe(status);
      expect(answer.headers['x-frame-options'], path).toBe('DENY');
      expect(answer.headers['content-security-policy'], path).toContain("frame-ancestors 'none'");
      expect(answer.headers['x-content-type-options'], path).toBe('nosniff');
    }
    await server.close();
  });
});
