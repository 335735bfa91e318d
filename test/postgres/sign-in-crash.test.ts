import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type FakeProvider, startFakeProvider } from '../../server/accounts/oidc/testing/fake-provider.ts';
import { type Cluster, startCluster } from '../../server/storage/testing/cluster.ts';
import { newPostgres } from '../../server/storage/testing/databases.ts';
import { Browser } from '../support/browser.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Signing in at a provider that takes a code again, and a database that crashes meanwhile. */

let cluster: Cluster;
let provider: FakeProvider;
let server: TestServer;

beforeAll(async () => {
  cluster = await startCluster({ durable: true, statementLogs: inject('statementLogs') });
  provider = await startFakeProvider('');
  server = await startTestServer({ database: await newPostgres(cluster.url), oidc: provider.settings });
  const { users } = server.administration;
  await users.invite({ workspaceId: 'shop', email: 'ada@example.com', role: 'editor', by: undefined });
});

afterAll(async () => {
  await server.close();
  await provider.close();
  await cluster.remove();
});

/** @returns comes back from the provider, each time as at first */
async function begin() {
  const browser = new Browser(server);
  const begun = await browser.call('POST', '/workspaces/shop/oidc-sign-ins/v1');
  const { authorizationUrl } = begun.json() as { authorizationUrl: string };
  const asked = new URL(authorizationUrl).searchParams;
  const cookie = browser.cookie ?? '';
  return () => {
    provider.claims = () => ({ nonce: asked.get('nonce') });
    return new Browser(server, { cookie }).finishOidcSignIn(`code=the-code&state=${asked.get('state')}`);
  };
}

it('a sign-in that was finished works no more after a crash, and one that was begun goes on', async () => {
  const [finished, begun] = [await begin(), await begin()];
  expect((await finished()).status).toBe(201);
  await cluster.crash();
  await cluster.start();
  await expect.poll(() => server.administration.storage.ping().then(() => 'ready', String)).toBe('ready');
  expectError(await finished(), 410, /is over already/);
  expect((await begun()).status).toBe(201);
});
