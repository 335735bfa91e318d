import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Cluster, startCluster } from '../../server/storage/testing/cluster.ts';
import { mostConnections } from '../../server/storage/testing/connections.ts';
import { administer, newPostgres, type TestDatabase } from '../../server/storage/testing/databases.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { installOn, type PrintedCredentials, printedCredentials } from '../support/postgres-server.ts';
import { mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';

/** A server whose database goes away, stands still, is slow, takes no writes or is full, and comes back. */

/** No request and no check of health may take longer, whatever the database does. */
const BOUND_MS = 45_000;

const RELOAD = 'select pg_reload_conf()';

let cluster: Cluster;
let database: TestDatabase;
let server: ServerProcess;
let credentials: PrintedCredentials | undefined;

beforeAll(async () => {
  cluster = await startCluster({ durable: true, statementLogs: inject('statementLogs') });
  await administer(cluster.url, "create role app login password 'secret'");
  await use(await newPostgres(cluster.url, { patient: false }));
});

afterAll(async () => {
  await server.stop();
  await cluster.remove();
});

/** As a role that owns the database and may do nothing else. */
async function use(made: TestDatabase): Promise<void> {
  const url = new URL(made.location.databaseUrl ?? '');
  await administer(cluster.url, `alter database ${url.pathname.slice(1)} owner to app`);
  url.username = 'app';
  database = { ...made, location: { ...made.location, databaseUrl: url.href } };
  server = await installOn(database.location).start(['--rate-limit', '1000']);
  credentials = printedCredentials(server);
}

interface Answer {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${server.origin}${path}`, { ...init, signal: AbortSignal.timeout(BOUND_MS) });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  };
}

const json = { 'content-type': 'application/json' };
const account = () => ({ authorization: credentials?.authorization ?? '' });

let names = 0;
const create = (name = `branch-${(names += 1)}`) =>
  ask('/workspaces/demo/branches/v1', {
    method: 'POST',
    headers: { ...account(), ...json },
    body: JSON.stringify({ name }),
  });
const list = () => ask('/workspaces/demo/branches/v1', { headers: account() });
const listEvents = () => ask('/workspaces/demo/inspector/events/v1', { headers: account() });
const exportCsv = () => ask('/workspaces/demo/branches/export/v1', { headers: account() });
const ingest = () =>
  ask('/inspector/batches/v1', {
    method: 'POST',
    headers: { 'api-key': credentials?.apiKey ?? '', ...json },
    body: JSON.stringify(batchOf([eventReport('Viewed', [])])),
  });
const ready = () => ask('/readyz');

const UNAVAILABLE = {
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { error: expect.stringMatching(/^The .*\.$/) },
};

async function expectUnavailable(...asked: (() => Promise<Answer>)[]): Promise<void> {
  expect(await Promise.all(asked.map((one) => one()))).toEqual(asked.map(() => UNAVAILABLE));
}

async function expectHealed(): Promise<void> {
  await expect.poll(async () => (await ready()).status).toBe(200);
  const statuses = async () =>
    (await Promise.all([create(), list(), ingest(), exportCsv()])).map(({ status }) => status);
  await expect.poll(statuses).toEqual([201, 200, 200, 200]);
}

describe('the database', { timeout: 600_000 }, () => {
  it('that crashes makes requests fail with 503, and what was answered is there when it is back', async () => {
    expect((await create('survivor')).status).toBe(201);
    await cluster.crash();
    await expectUnavailable(create, list, ingest, exportCsv, ready);
    expect((await ask('/livez')).status).toBe(200);
    await cluster.start();
    await expectHealed();
    expect((await exportCsv()).body).toContain('survivor,');
  });

  it('that stands still holds no request beyond the bound, however many there are', async () => {
    await cluster.pause();
    await expectUnavailable(create, list, ingest, exportCsv, ready, ...Array.from({ length: 40 }, () => list));
    cluster.resume();
    await expectHealed();
  });

  it('that is slow is given up on, and nothing waits behind', async () => {
    const other = new pg.Client(database.location.databaseUrl);
    other.on('error', () => {});
    await other.connect();
    await other.query('begin; lock table branches, seen_batches');
    await expectUnavailable(create, list, ingest, ready);
    // What does not need the locked tables is served all the while.
    expect((await listEvents()).status).toBe(200);
    await other.query('rollback');
    await other.end();
    await expectHealed();
  });

  it('that has a table locked gets no more connections, however many requests come and however long it lasts', async () => {
    const other = new pg.Client(database.location.databaseUrl);
    await other.connect();
    await other.query('begin; lock table branches');
    const waves = async () => {
      for (let wave = 0; wave < 3; wave += 1) {
        await expectUnavailable(ready, exportCsv, create, ...Array.from({ length: 30 }, () => list));
      }
    };
    const { all } = await mostConnections(database.location.databaseUrl ?? '', waves());
    await other.end();
    // All that the server may have for requests, and no more than what it has besides.
    expect(all).toBeGreaterThanOrEqual(10);
    expect(all).toBeLessThanOrEqual(14);
    await expectHealed();
  });

  it('that takes no writes makes them fail with 503, and the server not ready', async () => {
    await administer(cluster.url, 'alter system set default_transaction_read_only = on', RELOAD);
    await expect.poll(async () => (await ready()).status).toBe(503);
    await expectUnavailable(create, ingest, ready);
    await administer(cluster.url, `set default_transaction_read_only = off`, 'alter system reset all', RELOAD);
    await expectHealed();
  });

  it('that took no writes for a while is written to again over connections that were made meanwhile', async () => {
    const name = new URL(database.location.databaseUrl ?? '').pathname.slice(1);
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'";
    await administer(cluster.url, `alter database ${name} set default_transaction_read_only = on`, end);
    await expect.poll(async () => (await ready()).status).toBe(503);
    // So that no connection is idle for long enough to be closed.
    const traffic = setInterval(() => void Promise.all([create(), list(), ready()]).catch(() => {}), 100);
    try {
      await expectUnavailable(create, ingest, ready);
      await administer(cluster.url, `alter database ${name} reset default_transaction_read_only`);
      await expectHealed();
    } finally {
      clearInterval(traffic);
    }
  });

  it.each([
    ['is idle', false],
    ['waits for it', true],
  ])('that stands still keeps no server that %s from ending once its drain timeout is over', async (_what, isAsked) => {
    const { location } = await newPostgres(cluster.url, { patient: false });
    const other = await installOn(location).start(['--drain-delay', '0', '--drain-timeout', '1']);
    const apiKey = printedCredentials(other)?.apiKey ?? '';
    await cluster.pause();
    try {
      const headers = { 'api-key': apiKey, ...json };
      const body = JSON.stringify(batchOf([eventReport('Viewed', [])]));
      const ask = () => fetch(`${other.origin}/inspector/batches/v1`, { method: 'POST', headers, body });
      const waiting = isAsked ? [ask().catch(() => 'cut off')] : [];
      expect((await fetch(`${other.origin}/livez`)).status).toBe(200);
      const began = performance.now();
      // Also one that nobody asks may look just then whether maintenance is due.
      expect(isAsked ? [1] : [0, 1]).toContain(await other.stop());
      // An answer that does not come is waited for 6 seconds, and the end of its statement for one more.
      expect(performance.now() - began).toBeLessThan(6_000);
      expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'cut off'));
    } finally {
      cluster.resume();
    }
    await expectHealed();
  });

  it('whose connections are all taken makes requests fail with 503', async () => {
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'";
    await administer(cluster.url, 'alter role app connection limit 0', end);
    await expectUnavailable(create, list, ready);
    await administer(cluster.url, 'alter role app connection limit -1');
    await expectHealed();
  });

  it('whose disk is full makes writes fail with 503, and goes on when there is room', async (context) => {
    const disk = join(cluster.folder, 'small-disk');
    if (!mountSmallDisk(disk, { size: '20m', owner: 'postgres' }))
      return context.skip('a small file system can not be mounted here');
    await server.stop();
    await administer(cluster.url, `create tablespace small location '${disk}'`);
    const small = await newPostgres(cluster.url, { patient: false });
    const smallUrl = small.location.databaseUrl ?? '';
    await administer(cluster.url, `alter database ${new URL(smallUrl).pathname.slice(1)} set tablespace small`);
    await use(small);
    try {
      await administer(smallUrl, 'create table filling (text text)');
      for (const rows of [1_000, 10, 1]) {
        const more = `insert into filling select repeat('x', 1000) from generate_series(1, ${rows})`;
        await expect(administer(smallUrl, ...Array.from({ length: 50 }, () => more))).rejects.toThrow('No space left');
      }
      // Pages that are not full yet take some more rows.
      let last = await create();
      for (let tries = 0; tries < 1_000 && last.status === 201; tries += 1) last = await create();
      expect(last).toEqual(UNAVAILABLE);
      expect(await ready()).toEqual(UNAVAILABLE);
      execFileSync('mount', ['-o', 'remount,size=64m', disk]);
      await expectHealed();
    } finally {
      await server.stop();
      await small.remove();
      await administer(cluster.url, 'drop tablespace small');
      unmountSmallDisk(disk);
    }
  });
});
