// @module-tag both-engines
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import { headerLines } from '../support/raw-request.ts';
import { basic, type Credentials, type SignedIn, startTestServer, type TestServer } from '../support/server.ts';

/** Requests whose bodies come when the rights are gone that their headers came with. */

let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

interface Held {
  method?: 'PUT';
  /** Below the workspace, or of the server. */
  path: string;
  headers: readonly string[];
  body: object;
}

/** Sends the headers of a request, and holds its body back until it is authenticated and finished. */
async function hold({ method, path, headers, body }: Held): Promise<() => Promise<string>> {
  const text = JSON.stringify(body);
  const { hostname, port } = new URL(server.origin);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = '';
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  const fixed = ['host', 'x', 'content-type', 'application/json', 'content-length', `${Buffer.byteLength(text)}`];
  const all = [...fixed, ...headers, 'connection', 'close', 'expect', '100-continue'];
  socket.write(`${method ?? 'POST'} ${path} HTTP/1.1\r\n${headerLines(all)}\r\n`);
  // Which is sent to whoever is authenticated.
  await expect.poll(() => answer).toContain('100 Continue');
  return async () => {
    answer = '';
    const end = new Promise((resolve) => socket.once('close', resolve));
    socket.write(text);
    await end;
    return answer;
  };
}

const asPerson = ({ cookie }: SignedIn) => ['cookie', cookie, 'sec-fetch-site', 'same-origin'];
const change = (who: SignedIn) => ({ workspaceId: who.workspaceId, userId: who.userId, by: undefined });

const branch = (headers: readonly string[], name: string): Held => ({
  path: `${server.workspacePath}/branches/v1`,
  headers,
  body: { name },
});

const invitation = (headers: readonly string[], email: string): Held => ({
  path: `${server.workspacePath}/users/v1`,
  headers,
  body: { email, role: 'admin' },
});

const asAccount = (account: Credentials) => ['authorization', basic(account)];

it('are served where nothing has changed', async () => {
  const person = await hold(branch(asPerson(admin), 'late-by-a-person'));
  const account = await hold(branch(asAccount(server.account), 'late-by-an-account'));
  expect(await person()).toMatch(/^HTTP\/1\.1 201/);
  expect(await account()).toMatch(/^HTTP\/1\.1 201/);
});

/** The status of an answer, whose connection may last for a while: the server still awaits the body. */
async function readStatus(request: string): Promise<string> {
  const { hostname, port } = new URL(server.origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(request);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return first.toString().slice(0, 12);
}

it.each([
  '/livez',
  '/readyz',
  '/',
  '/docs',
  '/docs/openapi.json',
  '/workspaces/shop/branches',
  '/sign-in-ways/v1',
  '/nowhere',
])('make no difference to GET and HEAD of %s', async (path) => {
  for (const method of ['GET', 'HEAD']) {
    const status = async (more: string[]) => {
      const lines = headerLines(['host', 'x', 'accept', 'text/html', ...more]);
      return readStatus(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`);
    };
    expect(await status(['content-length', '2'])).toBe(await status([]));
  }
});

it('are refused from an admin who is removed meanwhile, whom they would bring back', async () => {
  const removed = await server.signIn('admin');
  const finish = await hold(invitation(asPerson(removed), 'accomplice@example.com'));
  await server.administration.users.remove(change(removed));
  expect(await finish()).toMatch(/^HTTP\/1\.1 401/);
  expect(await server.administration.users.findByEmail('shop', 'accomplice@example.com')).toBeUndefined();
});

it('are refused from whoever has signed out', async () => {
  const person = await server.signIn('editor');
  const finish = await hold(branch(asPerson(person), 'after-signing-out'));
  const out = await server.call({
    method: 'DELETE',
    path: `${server.workspacePath}/sessions/current/v1`,
    as: null,
    headers: { cookie: person.cookie, 'sec-fetch-site': 'same-origin' },
  });
  expect(out.status).toBe(204);
  expect(await finish()).toMatch(/^HTTP\/1\.1 401/);
});

it('are refused where the role is lower meanwhile, and served where it is higher', async () => {
  const [lowered, raised] = [await server.signIn('admin'), await server.signIn('editor')];
  const role = await hold({
    method: 'PUT',
    path: `${server.workspacePath}/users/${lowered.userId}/role/v1`,
    headers: asPerson(lowered),
    body: { role: 'admin' },
  });
  const raise = await hold(branch(asPerson(raised), 'by-whom-rose'));
  await server.administration.users.changeRole(change(lowered), 'viewer');
  await server.administration.users.changeRole(change(raised), 'admin');
  const refusal = await role();
  expect(refusal).toMatch(/^HTTP\/1\.1 403/);
  expect(refusal).toContain(
    'Your role was changed to viewer meanwhile. If that role is enough, send the request again.',
  );
  expect(await raise()).toMatch(/^HTTP\/1\.1 201/);
});

it('are refused from accounts and keys that are deleted meanwhile', async () => {
  const { accounts, keys } = server.administration;
  const account = await server.createAccount();
  const { key, text } = await keys.create({ workspaceId: 'shop', source: 'gone', samplingRate: 1 });
  const created = await hold(branch(asAccount(account), 'by-a-deleted-account'));
  const ingested = await hold({
    path: '/inspector/batches/v1',
    headers: ['api-key', text],
    body: batchOf([eventReport('Late', [])]),
  });
  await accounts.delete('shop', account.accountId);
  await keys.delete('shop', key.keyId);
  expect(await created()).toMatch(/^HTTP\/1\.1 401/);
  expect(await ingested()).toMatch(/^HTTP\/1\.1 401/);
});
