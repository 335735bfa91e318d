// @module-tag both-engines
import { afterEach, describe, expect, it } from 'vitest';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { expectError } from '../support/expect-error.ts';
import { LEAST_REQUESTS_PER_SECOND, MOST_REQUESTS_PER_SECOND } from '../../server/config.ts';
import { type Credentials, startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

/** The row "Rate limit" of docs/decisions.md over HTTP. */

let server: TestServer;
let now = Date.parse('2026-01-02T03:04:05.678Z');

afterEach(() => server.close());

async function start(options: TestServerOptions) {
  server = await startTestServer({ rateLimit: 1, clock: () => now, ...options });
}

const list = (as = server.account) => server.call({ path: `${server.workspacePath}/branches/v1`, as });
const exportCsv = () => server.call({ path: `${server.workspacePath}/branches/export/v1` });

describe('soft, the default', () => {
  it('serves what is past the limit, announces it, warns and counts', async () => {
    await start({});
    const first = await list();
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"listBranches";q=1;w=1',
      ratelimit: '"listBranches";r=0;t=1',
    });
    expect(first.headers).not.toHaveProperty('ratelimit-warning');

    const second = await list();
    expect(second.status).toBe(200);
    expect(second.headers['ratelimit-warning']).toMatch(/past the limit of 1 request per second/);
    expect(await server.metrics.registry.metrics()).toContain(
      'branchline_requests_past_rate_limit_total{operation="listBranches",outcome="served"} 1',
    );
  });

  it('has a bucket for each account and operation', async () => {
    await start({});
    const other = await server.createAccount();
    await list();
    for (const answer of [await list(other), await exportCsv()]) {
      expect(answer.headers).not.toHaveProperty('ratelimit-warning');
    }
  });

  it('knows no addresses: all accounts behind one proxy have their own, and an account has one wherever it calls from', async () => {
    await start({});
    const from = (address: string, as = server.account) =>
      server.call({ path: `${server.workspacePath}/branches/v1`, as, headers: { 'x-forwarded-for': address } });
    await from('2001:db8::1');
    expect((await from('2001:db8::2')).headers).toHaveProperty('ratelimit-warning');
    expect((await from('2001:db8::1', await server.createAccount())).headers).not.toHaveProperty('ratelimit-warning');
  });

  it('is over after a second', async () => {
    await start({});
    await list();
    now += 1_000;
    expect((await list()).headers).not.toHaveProperty('ratelimit-warning');
  });
});

describe('hard', () => {
  it('answers 429 with Retry-After past the limit, and serves again after that', async () => {
    await start({ rateLimitMode: 'hard' });
    await list();
    const refused = await list();
    expectError(refused, 429, 'Too many requests. This operation takes 1 request per second; try again in 1 second.');
    expect(refused.headers['retry-after']).toBe('1');
    now += 1_000;
    expect((await list()).status).toBe(200);
  });

  it('comes after authentication: who is nobody is told nothing of it', async () => {
    await start({ rateLimitMode: 'hard' });
    for (let round = 0; round < 3; round += 1) {
      expectError(await server.call({ path: `${server.workspacePath}/branches/v1`, as: null }), 401, 'Unauthorized');
    }
  });

  it('comes before the body is read', async () => {
    await start({ rateLimitMode: 'hard' });
    const broken = {
      method: 'POST',
      path: `${server.workspacePath}/branches/v1`,
      body: '{',
      headers: { 'content-type': 'application/json' },
    };
    expectError(await server.call(broken), 400);
    expectError(await server.call(broken), 429);
    expectError(await server.call({ ...broken, headers: { 'content-type': 'text/plain' } }), 429);
  });

  it('is one for both paths of the export', async () => {
    await start({ rateLimitMode: 'hard' });
    expect((await exportCsv()).status).toBe(200);
    expectError(await server.call({ path: `${server.workspacePath}/export/v1` }), 429);
  });
});

it('an account may have its own rate and mode', async () => {
  await start({ rateLimitMode: 'soft' });
  const { account, secret } = await server.administration.accounts.create({
    workspaceId: server.workspaceId,
    label: 'fast',
    email: 'fast@example.com',
    scopes: ['branches:export'],
    ratePerSecond: 3,
    rateEnforcement: 'hard',
  });
  const credentials = { accountId: account.accountId, name: account.name, secret };
  const statuses: number[] = [];
  for (let round = 0; round < 5; round += 1) statuses.push((await list(credentials)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
});

it('an API key has one bucket, always hard', async () => {
  await start({ rateLimitMode: 'soft', ingestRateLimit: 2 });
  const send = () =>
    server.call({
      method: 'POST',
      path: '/inspector/batches/v1',
      json: {},
      as: null,
      headers: { 'api-key': server.apiKey },
    });
  const statuses = [(await send()).status, (await send()).status, (await send()).status];
  expect(statuses).toEqual([400, 400, 429]);
});

describe('what an admin may give an account', () => {
  const create = async (limit: object) => {
    const { cookie } = await server.signIn('admin');
    return server.call({
      method: 'POST',
      path: `${server.workspacePath}/service-accounts/v1`,
      as: null,
      headers: { cookie },
      json: { name: 'ci', email: 'ci@example.com', ...limit },
    });
  };
  const refusedRate = (most: number) =>
    `The field "requestsPerSecond" of the body must be at most ${most}: this server allows no faster account.`;

  it('is, where limits are hard, neither a soft limit nor a higher one than the server has', async () => {
    await start({ rateLimitMode: 'hard', rateLimit: 2 });
    expectError(
      await create({ enforcement: 'soft' }),
      400,
      'The field "enforcement" of the body must be hard, or left out: this server allows hard limits only.',
    );
    expectError(await create({ requestsPerSecond: 2.5, enforcement: 'hard' }), 400, refusedRate(2));
    expectError(await create({ requestsPerSecond: 1_000_000, enforcement: 'soft' }), 400);
    for (const limit of [{}, { requestsPerSecond: 2 }, { requestsPerSecond: null, enforcement: null }])
      expect((await create({ ...limit })).status).toBe(201);
    const { serviceAccount, secret } = (await create({ enforcement: 'hard' })).json() as {
      serviceAccount: { accountId: string; name: string };
      secret: string;
    };
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await list({ ...serviceAccount, secret })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('is at most what the operator says, in both modes', async () => {
    for (const rateLimitMode of ['soft', 'hard'] as const) {
      await start({ rateLimitMode, maxAccountRate: 50 });
      expectError(await create({ requestsPerSecond: 50.1 }), 400, refusedRate(50));
      expect((await create({ requestsPerSecond: 50 })).status).toBe(201);
      if (rateLimitMode === 'soft') await server.close();
    }
  });

  it('is anything that the contract takes where limits are soft, and the operator says nothing', async () => {
    await start({});
    expect((await create({ requestsPerSecond: 1_000_000, enforcement: 'soft' })).status).toBe(201);
  });
});

describe('the slowest and the fastest rate of the contract', () => {
  const create = async (requestsPerSecond: number) => {
    const { cookie } = await server.signIn('admin');
    const json = { name: 'ci', email: 'ci@example.com', requestsPerSecond, enforcement: 'hard' };
    return server.call({
      method: 'POST',
      path: `${server.workspacePath}/service-accounts/v1`,
      as: null,
      headers: { cookie },
      json,
    });
  };
  const use = async (created: Awaited<ReturnType<typeof create>>) => {
    const { serviceAccount, secret } = created.json() as { serviceAccount: Credentials; secret: string };
    return [await list({ ...serviceAccount, secret }), await list({ ...serviceAccount, secret })];
  };

  it('are announced and refused in whole seconds', async () => {
    await start({});
    const [first, refused] = await use(await create(LEAST_REQUESTS_PER_SECOND));
    expect(first?.headers).toMatchObject({
      'ratelimit-policy': '"listBranches";q=1;w=100000',
      ratelimit: '"listBranches";r=0;t=100000',
    });
    expect(refused?.status).toBe(429);
    expect(refused?.headers['retry-after']).toBe('100000');
    const [, second] = await use(await create(MOST_REQUESTS_PER_SECOND));
    expect(second?.status).toBe(200);
    expect(second?.headers).toMatchObject({
      'ratelimit-policy': '"listBranches";q=1000000;w=1',
      ratelimit: '"listBranches";r=999998;t=1',
    });
  });

  it('are the bounds of what an account can be given', async () => {
    await start({});
    for (const rate of [Number.MIN_VALUE, 1e-300, 1e-20, 0.000_009_999, 0, -1])
      expectError(await create(rate), 400, 'The field "requestsPerSecond" of the body must be at least 0.00001.');
    for (const rate of [Number.MAX_VALUE, 1_000_000.1])
      expectError(await create(rate), 400, 'The field "requestsPerSecond" of the body must be at most 1000000.');
  });

  it.each([Number.MIN_VALUE, 0])('bound one that was stored as %d, before there was a slowest', async (stored) => {
    await start({});
    const created = await create(1);
    const { storage } = server.administration;
    await ofTest(storage).write((tx) => tx.updateTable('service_accounts').set({ rate_per_second: stored }).execute());
    const [first, refused] = await use(created);
    expect(first?.headers).toHaveProperty('ratelimit-policy', '"listBranches";q=1;w=100000');
    expect(refused?.headers['retry-after']).toBe('100000');
  });
});
