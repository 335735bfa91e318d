import { connect } from 'node:net';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it } from 'vitest';
import { columns } from './csv.ts';
import { type Service, listen } from './listen.ts';

const open: Service[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

async function started(): Promise<Service> {
  const service = await listen();
  open.push(service);
  return service;
}

interface Asked {
  workspace?: string;
  /** Of the account's list. */
  account?: number;
  headers?: Record<string, string>;
}

function authorization({ accounts }: Service, index: number): string {
  const account = accounts[index];
  return `Basic ${Buffer.from(`${account?.name}:${account?.secret}`).toString('base64')}`;
}

function create(service: Service, body: string, { workspace = 'north', account = 0, headers }: Asked = {}) {
  return fetch(`${service.origin}/workspaces/${workspace}/branches/v1`, {
    method: 'POST',
    headers: headers ?? { authorization: authorization(service, account), 'content-type': 'application/json' },
    body,
  });
}

async function exported(service: Service, asked: Asked = {}): Promise<Record<string, string>[]> {
  const { workspace = 'north', account = 0 } = asked;
  const response = await fetch(`${service.origin}/workspaces/${workspace}/branches/export/v1`, {
    headers: { authorization: authorization(service, account) },
  });
  return parse(await response.text(), { columns: true });
}

const named = (name: unknown): string => JSON.stringify({ name });

describe('the independent service', () => {
  it('creates a branch, and exports it with those that were there', async () => {
    const service = await started();
    const response = await create(service, named('my-branch-1'));
    expect(response.status).toBe(201);
    const branch: Record<string, string> = JSON.parse(await response.text());
    expect(branch).toMatchObject({ branchName: 'my-branch-1' });
    expect(branch['branchUrl']).toBe(`https://plans.example/schemas/north/branches/${branch['branchId']}`);
    const rows = await exported(service);
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
    expect(rows).toHaveLength(6);
    expect(rows.at(-1)).toMatchObject({
      branchName: 'my-branch-1',
      branchId: branch['branchId'],
      branchStatus: 'Draft',
    });
  });

  it.each(['Merged', 'Closed', 'Approved', 'ReadyForReview'])(
    'holds a name or not once a branch is %s',
    async (branchStatus) => {
      const service = await started();
      const created = await create(service, named('seeded'));
      const { branchId }: { branchId: string } = JSON.parse(await created.text());
      const seeded = await fetch(`${service.origin}/seed`, {
        method: 'POST',
        body: JSON.stringify({ workspaceId: 'north', branchId, branchStatus }),
      });
      expect(seeded.status).toBe(204);
      expect((await exported(service)).at(-1)).toMatchObject({ branchId, branchStatus });
      const free = branchStatus === 'Merged' || branchStatus === 'Closed';
      expect((await create(service, named('seeded'))).status).toBe(free ? 201 : 409);
    },
  );

  it('lets one workspace have the names of another, and one account see the branches of another', async () => {
    const service = await started();
    expect((await create(service, named('mine'))).status).toBe(201);
    expect((await create(service, named('mine'), { workspace: 'south', account: 2 })).status).toBe(201);
    expect((await create(service, named('mine'), { account: 1 })).status).toBe(409);
    expect((await create(service, named('mine-2'), { account: 2 })).status).toBe(403);
  });

  it.each(['', 'Abc', 'a b', 'a_b', 'é', 'a\n', 7, null, ['a']])(
    'refuses the name %j with a proposal that can be had',
    async (name) => {
      const service = await started();
      const response = await create(service, named(name));
      expect(response.status).toBe(400);
      const { error }: { error: string } = JSON.parse(await response.text());
      const [, proposal] = /^Invalid branch name, try "([a-z0-9-]+)" instead$/.exec(error) ?? [];
      expect((await create(service, named(proposal))).status).toBe(201);
    },
  );

  it.each(['', '{', 'null', '[]', '"a"', '{}'])('calls the body %j malformed', async (body) => {
    expect((await create(await started(), body)).status).toBe(400);
  });

  it.each<Record<string, string>>([
    {},
    { authorization: 'Basic' },
    { authorization: 'Basic !' },
    { authorization: 'Bearer abc' },
    { authorization: `Basic ${btoa('review-bot:s0')}` },
    { authorization: `Basic ${btoa('nobody:s0:Zt:north-2')}` },
  ])('does not know who sends %j', async (headers) => {
    const response = await create(await started(), named('a'), { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'Unauthorized' });
  });

  it('outlives a client that gives up within its request', async () => {
    const service = await started();
    const { port } = new URL(service.origin);
    const socket = connect(Number(port), '127.0.0.1');
    const begun = 'POST /workspaces/north/branches/v1 HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf';
    await new Promise((resolve) => socket.write(begun, resolve));
    await expect.poll(() => service.requests()).toBe(1);
    socket.resetAndDestroy();
    expect((await create(service, named('after-it'))).status).toBe(201);
  });
});
