// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import { exchange } from '../support/exchange.ts';
import { expectError } from '../support/expect-error.ts';
import { type Credentials, startTestServer, type TestServer } from '../support/server.ts';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';

/** The rows of docs/decisions.md, "Accounts", over HTTP, under their names. */

let server: TestServer;
let branchesPath: string;

beforeAll(async () => {
  server = await startTestServer();
  branchesPath = `${server.workspacePath}/branches/v1`;
});
afterAll(() => server.close());

const create = (name: unknown, as?: Credentials | null) =>
  server.call({ method: 'POST', path: branchesPath, json: { name }, ...(as === undefined ? {} : { as }) });

it('Wrong workspace or unknown one: the same 401', async () => {
  const { workspaces } = server.administration;
  await workspaces.create('foreign');
  const answers = await Promise.all(
    ['foreign', 'no-such-workspace', 'x'.repeat(500)].map((id) =>
      server.call({ path: `/workspaces/${id}/branches/v1` }),
    ),
  );
  for (const answer of answers) expectError(answer, 401, 'Unauthorized');
  expect(new Set(answers.map(({ headers }) => JSON.stringify({ ...headers, date: '', 'x-request-id': '' }))).size).toBe(
    1,
  );
});

it('Service account: its name has no colon and a random suffix, its secret 256 bits, and is not stored', async () => {
  const { name, secret, accountId } = await server.createAccount();
  expect(name).toMatch(/^test-[a-z2-7]{8}$/);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  const row = await ofTest(server.administration.storage)
    .db.selectFrom('service_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(secret);
});

it('Service accounts and API keys: a name is more than spaces, which around it are left out', async () => {
  const { cookie } = await server.signIn('admin');
  const post = (what: string, json: object) =>
    server.call({ method: 'POST', path: `${server.workspacePath}/${what}/v1`, as: null, headers: { cookie }, json });
  const email = 'ci@example.com';
  const refused = [
    await post('service-accounts', { name: ' \u00a0', email }),
    await post('service-accounts', { name: 'a:b', email }),
    await post('api-keys', { source: '   ' }),
    await post('service-accounts', { name: 'ci', email: 'nobody' }),
  ];
  expect(refused.map(({ status, text }) => [status, JSON.parse(text)])).toEqual(
    [
      'The field "name" of the body must hold more than spaces, and neither a colon nor a control character.',
      'The field "name" of the body must hold more than spaces, and neither a colon nor a control character.',
      'The field "source" of the body must hold more than spaces, and no control character.',
      'The field "email" of the body must be an e-mail address, such as ada@example.com.',
    ].map((error) => [400, { error }]),
  );
  const made = await post('api-keys', { source: ' android-shop ' });
  expect(made.json()).toMatchObject({ apiKey: { source: 'android-shop' } });
  expect((await post('service-accounts', { name: ' ci ', email })).json()).toMatchObject({
    serviceAccount: { name: expect.stringMatching(/^ci-[a-z2-7]{8}$/) },
  });
});

it('Scopes: a missing one is 403, and says which', async () => {
  const exporter = await server.createAccount(['branches:export']);
  expectError(await create('scoped', exporter), 403, 'This service account lacks the scope branches:create.');
  expect((await server.call({ path: branchesPath, as: exporter })).status).toBe(200);
  const creator = await server.createAccount(['branches:create']);
  expectError(
    await server.call({ path: `${server.workspacePath}/branches/export/v1`, as: creator }),
    403,
    /branches:export/,
  );
  expectError(
    await server.call({ path: `${server.workspacePath}/inspector/events/v1`, as: creator }),
    403,
    /inspector:read/,
  );
});

it('Deleting an account takes effect with the next request', async () => {
  const doomed = await server.createAccount();
  expect((await server.call({ path: branchesPath, as: doomed })).status).toBe(200);
  await server.administration.accounts.delete(server.workspaceId, doomed.accountId);
  expectError(await server.call({ path: branchesPath, as: doomed }), 401, 'Unauthorized');
});

it('Deleting a workspace: its credentials are unknown at once, and nobody gets its id again', async () => {
  const { workspaces, keys } = server.administration;
  await workspaces.create('doomed');
  const as = await server.createAccount(undefined, 'doomed');
  const { text: apiKey } = await keys.create({ workspaceId: 'doomed', source: 'app', samplingRate: 1 });
  const requests = () =>
    Promise.all([
      server.call({ path: '/workspaces/doomed/branches/v1', as }),
      server.call({ method: 'POST', path: '/workspaces/doomed/branches/v1', json: { name: 'late' }, as }),
      server.call({
        method: 'POST',
        path: '/inspector/batches/v1',
        as: null,
        headers: { 'api-key': apiKey },
        json: batchOf([eventReport('Viewed', [])]),
      }),
    ]);
  expect((await requests()).map(({ status }) => status)).toEqual([200, 201, 200]);
  await workspaces.delete('doomed');
  for (const answer of await requests()) expectError(answer, 401, 'Unauthorized');
  await expect(workspaces.create('doomed')).rejects.toThrow("can't be used again");
});

it('Deleting a workspace: a request that was authenticated before and writes after is refused alike', async () => {
  const { workspaces, accounts, storage } = server.administration;
  await workspaces.create('raced');
  const as = await server.createAccount(undefined, 'raced');
  const create = (id: string) =>
    server.call({ method: 'POST', path: `/workspaces/${id}/branches/v1`, json: { name: 'late' }, as });
  const unknown = await create('nowhere');
  const authenticated = vi.spyOn(accounts, 'authenticate');
  const late = await storage.write(async (tx) => {
    const ended = { hash_key_id: 'k', created_at: 1, deleted_at: 2, workspace_id: 'raced' };
    await tx.deleteFrom('workspaces').where('workspace_id', '=', 'raced').execute();
    await tx.insertInto('workspaces').values(ended).execute();
    const answer = create('raced');
    await expect.poll(() => authenticated.mock.settledResults[0]?.type).toBe('fulfilled');
    return { answer };
  });
  expect(authenticated.mock.settledResults[0]?.value).toMatchObject({ workspaceId: 'raced' });
  expectError(await late.answer, 401, 'Unauthorized');
  expect((await late.answer).headers['www-authenticate']).toBe(unknown.headers['www-authenticate']);
});

describe('Basic authentication', () => {
  const list = (authorization: string) => server.call({ path: branchesPath, as: null, headers: { authorization } });
  const encoded = (text: string) => Buffer.from(text).toString('base64');

  it.each(['Basic', 'basic', 'BASIC', 'bAsIc'])('the scheme in any case: %s', async (scheme) => {
    const { name, secret } = server.account;
    expect((await list(`${scheme} ${encoded(`${name}:${secret}`)}`)).status).toBe(200);
  });

  it.each([
    ['no colon', () => `Basic ${encoded('name-only')}`],
    ['bad Base64', () => 'Basic %%%'],
    ['something behind', () => `Basic ${encoded(`${server.account.name}:${server.account.secret}`)} x`],
    ['an empty name', () => `Basic ${encoded(`:${server.account.secret}`)}`],
    ['an empty secret', () => `Basic ${encoded(`${server.account.name}:`)}`],
    ['a wrong secret', () => `Basic ${encoded(`${server.account.name}:${'A'.repeat(43)}`)}`],
    ['an unknown name', () => `Basic ${encoded(`nobody:${server.account.secret}`)}`],
    ['another scheme', () => `Bearer ${server.account.secret}`],
    ['nothing', () => ''],
  ])('%s is 401', async (_what, header) => expectError(await list(header()), 401, 'Unauthorized'));

  it('two credentials are 401, although each would do', async () => {
    const header = `Basic ${encoded(`${server.account.name}:${server.account.secret}`)}`;
    const twice = await exchange(server.origin, {
      path: branchesPath,
      headers: ['authorization', header, 'authorization', header],
    });
    expect(twice.status).toBe(401);
  });

  it('a secret may hold colons, and name and secret any UTF-8', async () => {
    const storage = ofTest(server.administration.storage);
    const stored = await storage.db.selectFrom('service_accounts').selectAll().executeTakeFirstOrThrow();
    const secret = 'pa:ss::wörd 🗝';
    await storage.write((transaction) =>
      transaction
        .insertInto('service_accounts')
        .values({ ...stored, account_id: 'colons', name: 'bücher-konto', secret_hash: server.hasher.hash(secret) })
        .execute(),
    );
    expect((await list(`Basic ${encoded(`bücher-konto:${secret}`)}`)).status).toBe(200);
  });
});
