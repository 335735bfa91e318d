import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../server/storage/testing/free-port.ts';
import { openPostgres } from '../../server/storage/postgres/database.ts';
import { countConnections, mostConnections } from '../../server/storage/testing/connections.ts';
import { newDatabase, type TestDatabase } from '../../server/storage/testing/databases.ts';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { nextBatch, watch } from '../support/event-stream.ts';
import { installOn, type PrintedCredentials, printedCredentials } from '../support/postgres-server.ts';

/** Two servers behind PgBouncer, which gives each transaction whichever of a few connections is free. */

const PGBOUNCER = '/usr/sbin/pgbouncer';
const CONNECTIONS = 3;

const installed = existsSync(PGBOUNCER);
const title = `behind a proxy that pools transactions${installed ? '' : ' (skipped: pgbouncer is not installed)'}`;

describe.skipIf(!installed)(title, () => {
  let folder: string;
  let direct: string;
  let url: string;
  let proxy: ChildProcess;
  let database: TestDatabase;
  let servers: ServerProcess[] = [];
  let credentials: PrintedCredentials;

  beforeAll(async () => {
    database = await newDatabase({ empty: true });
    folder = mkdtempSync(join(tmpdir(), 'branchline-pgbouncer-'));
    direct = database.location.databaseUrl ?? '';
    const port = await freePort();
    proxy = startProxy(folder, new URL(direct), port);
    url = proxied(new URL(direct), port);
    await vi.waitUntil(() => answers(url), { timeout: 60_000 });
    const installation = installOn({ database: '/nowhere', databaseUrl: url });
    servers = await Promise.all([
      installation.start(['--rate-limit', '1000']),
      installation.start(['--rate-limit', '1000']),
    ]);
    const found = servers.map(printedCredentials).filter((one) => one !== undefined);
    expect(found).toHaveLength(1);
    credentials = found[0] ?? { authorization: '', apiKey: '' };
  });

  afterAll(async () => {
    for (const server of servers) await server.stop();
    proxy.kill('SIGKILL');
    await once(proxy, 'exit');
    await database.remove();
    rmSync(folder, { recursive: true });
  });

  const call = async (turn: number, path: string, headers: Record<string, string>, json?: unknown) => {
    const response = await fetch(`${servers[turn % 2]?.origin}${path}`, {
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const asAccount = () => ({ authorization: credentials.authorization });

  it('names are taken once, messages counted once, and the export is whole, all at the same time', async () => {
    const events = Array.from({ length: 20 }, (_, i) =>
      eventReport(`Event ${i % 4}`, [{ name: `p${i}`, type: 'int' }]),
    );
    const answers: Awaited<ReturnType<typeof call>>[] = [];
    // So few at once that none waits in vain for a connection, however slow the machine is.
    for (let round = 0; round < 5; round += 1) {
      const work = Array.from({ length: 12 }, (_, turn) => [
        call(turn, '/workspaces/demo/branches/v1', asAccount(), { name: `branch-${4 * round + (turn % 4)}` }),
        call(turn, '/inspector/batches/v1', { 'api-key': credentials.apiKey }, batchOf(events)),
        call(turn, '/workspaces/demo/branches/export/v1', asAccount()),
      ]).flat();
      answers.push(...(await Promise.all(work)));
    }
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect({ 201: count(201), 409: count(409) }).toEqual({ 201: 20, 409: 40 });
    // Exports and batches may be told to come again when all connections are taken, and are never answered wrongly.
    expect(count(200) + count(503) + count(429)).toBe(120);

    const counted = await call(0, '/workspaces/demo/inspector/events/v1', asAccount());
    const { events: observed } = JSON.parse(counted.text) as { events: { count: number }[] };
    expect(observed.map((event) => event.count)).toEqual([5, 5, 5, 5]);
    const csv = await call(1, '/workspaces/demo/branches/export/v1', asAccount());
    expect(csv.text.trim().split('\r\n')).toHaveLength(21);
  });

  it('live batches of the other server are looked for, since no notification comes through', async () => {
    const stream = await watch(servers[0]?.origin ?? '', 'demo', asAccount());
    let hasCome = false;
    void nextBatch(stream).then(() => (hasCome = true));
    const send = () =>
      call(1, '/inspector/batches/v1', { 'api-key': credentials.apiKey }, batchOf([eventReport('Live', [])]));
    await expect.poll(async () => (await send(), hasCome)).toBe(true);
    stream.close();
    for (const { log } of servers) {
      await expect.poll(log).toContain('"way":"polling"');
      expect(log()).not.toContain('"way":"listening"');
    }
  });

  it('the servers shared the few connections that the proxy has', async () => {
    const { all } = await countConnections(direct);
    expect(all).toBeGreaterThan(0);
    expect(all).toBeLessThanOrEqual(CONNECTIONS);
  });

  it('reads that wait too long are ended on the server, also those that first waited in the proxy', async () => {
    const storage = await openPostgres(url, {
      statementMs: 200,
      connectMs: 3_000,
      cancelMs: 5_000,
      connections: 2 * CONNECTIONS,
    });
    const other = new pg.Client(direct);
    await other.connect();
    await other.query('begin; lock table branches');
    const read = () => ofTest(storage).db.selectFrom('branches').select('name').execute();
    const waves = async () => {
      for (let wave = 0; wave < 4; wave += 1) {
        const outcomes = await Promise.allSettled(Array.from({ length: 2 * CONNECTIONS }, read));
        expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
      }
    };
    expect((await mostConnections(direct, waves())).waiting).toBe(CONNECTIONS);
    await expect.poll(async () => (await countConnections(direct)).waiting).toBe(0);
    await other.end();
    expect(await ofTest(storage).db.selectFrom('branches').select('name').limit(1).execute()).toHaveLength(1);
    await storage.close();
  });
});

function proxied(url: URL, port: number): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}

function startProxy(folder: string, { port: databasePort, password }: URL, port: number): ChildProcess {
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"postgres" "${password}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
max_client_conn = 200
`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asAnother = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  return spawn(PGBOUNCER, [...asAnother, settings], { stdio: 'ignore' });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
