import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDatabase, type TestDatabase } from '../../server/storage/testing/databases.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { type LiveStream, nextBatch, watch } from '../support/event-stream.ts';
import { branchline, type ServerProcess, startProcess } from '../support/command-line.ts';
import {
  installOn,
  type PostgresInstallation,
  type PrintedCredentials,
  printedCredentials,
} from '../support/postgres-server.ts';

/** Two server processes on one database. */

const SHAPE_LIMIT = 10;

let database: TestDatabase;
let installation: PostgresInstallation;
let servers: ServerProcess[];
let printed: (PrintedCredentials | undefined)[];
let credentials: PrintedCredentials;

beforeAll(async () => {
  database = await newDatabase({ empty: true });
  installation = installOn(database.location);
  const args = ['--shape-limit', String(SHAPE_LIMIT), '--ingest-rate-limit', '1000'];
  servers = await Promise.all([installation.start(args), installation.start(args)]);
  printed = servers.map(printedCredentials);
  const found = printed.find((one) => one !== undefined);
  if (found === undefined) throw new Error('No server printed credentials.');
  credentials = found;
});

afterAll(async () => {
  for (const server of servers) await server.stop();
  await database.remove();
});

/** Alternates between the servers. */
const originOf = (turn: number) => servers[turn % servers.length]?.origin ?? '';

function call(
  turn: number,
  path: string,
  { authorization = credentials.authorization, json = undefined as unknown } = {},
) {
  return fetch(`${originOf(turn)}/workspaces/demo${path}`, {
    headers: { authorization, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
  });
}

async function ingest(turn: number, events: unknown[], version: string) {
  const response = await fetch(`${originOf(turn)}/inspector/batches/v1`, {
    method: 'POST',
    headers: { 'api-key': credentials.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(batchOf(events, { app: { id: 'com.example.shop', name: 'Shop', version } })),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { accepted: number; duplicates: number; rejected: unknown[] };
}

/** Sends the batches, all at once, by turns to each server, and adds up the receipts. */
async function ingestAll(batches: readonly unknown[][], version: string) {
  const receipts = await Promise.all(batches.map((events, turn) => ingest(turn, events, version)));
  const sum = (count: (receipt: (typeof receipts)[number]) => number) =>
    receipts.reduce((all, one) => all + count(one), 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    duplicates: sum(({ duplicates }) => duplicates),
    rejected: sum(({ rejected }) => rejected.length),
  };
}

const observed = async (version: string) =>
  ((await (await call(0, `/inspector/events/v1?appVersion=${version}`)).json()) as { events: unknown }).events as {
    count: number;
    shapes: number;
  }[];

async function newAccount(...args: string[]) {
  const create = ['account', 'create', '--workspace', 'demo', '--name', 'ci', '--email', 'ci@example.com', '--json'];
  const { stdout } = await installation.run(...create, ...args);
  const { accountId, name, secret }: Record<string, string> = JSON.parse(stdout);
  return { accountId: accountId ?? '', authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` };
}

it('one that starts on an empty database makes no account that nobody asked for', async () => {
  const empty = await newDatabase({ empty: true });
  const { databaseUrl = '' } = empty.location;
  const server = await startProcess('/nowhere', ['--drain-delay', '0'], {
    DATABASE_URL: databaseUrl,
    BRANCHLINE_HASH_KEY: 'a'.repeat(64),
  });
  expect(printedCredentials(server)).toBeUndefined();
  expect(server.output()).toContain('DATABASE_URL and BRANCHLINE_HASH_KEY');
  expect(server.output()).toContain('npx branchline workspace create shop\n');
  expect(server.output()).not.toContain(databaseUrl);
  const listed = await branchline(['workspace', 'list', '--json'], {
    DATABASE_URL: databaseUrl,
    BRANCHLINE_HASH_KEY: 'a'.repeat(64),
  });
  expect(JSON.parse(listed.stdout)).toEqual([]);
  await server.stop();
  await empty.remove();
});

it('that start at once on an empty database make one first start', async () => {
  expect(printed.filter((one) => one !== undefined)).toHaveLength(1);
  const { stdout } = await installation.run('workspace', 'list', '--json');
  expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ workspaceId: 'demo' })]);
});

it('create a name once, however many ask both at once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const json = { name: `race-${round}` };
    const responses = await Promise.all(Array.from({ length: 50 }, (_, turn) => call(turn, '/branches/v1', { json })));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  }
});

it('count a message once, whichever of them it is sent to', async () => {
  const messages = Array.from({ length: 60 }, () => randomUUID());
  const schema = [{ name: 'id', type: 'string' as const }];
  const batches = Array.from({ length: 20 }, () => messages.map((id) => eventReport('Viewed', schema, id)));
  expect(await ingestAll(batches, 'dup')).toEqual({ accepted: 60, duplicates: 19 * 60, rejected: 0 });
  expect(await observed('dup')).toEqual([expect.objectContaining({ count: 60, shapes: 1 })]);
});

it('keep to the limit on shapes together, and count each new shape once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const version = `shapes-${round}`;
    const batches = Array.from({ length: 16 }, (_, batch) =>
      Array.from({ length: 3 }, (_, event) =>
        eventReport('Viewed', [{ name: `p${(batch * 3 + event) % 16}`, type: 'int' }]),
      ),
    );
    const { accepted, duplicates, rejected } = await ingestAll(batches, version);
    expect([accepted + rejected, duplicates]).toEqual([48, 0]);
    expect(await observed(version)).toEqual([expect.objectContaining({ count: accepted, shapes: SHAPE_LIMIT })]);
  }
});

it('count known shapes without a wait for rows that another changes', async () => {
  const events = () => [eventReport('Known', [])];
  for (const turn of [0, 1]) await ingest(turn, events(), 'known');
  await observed('known');
  const client = new pg.Client(database.location.databaseUrl);
  await client.connect();
  await client.query('begin');
  for (const table of ['observed_shapes', 'observed_events', 'source_shapes', 'event_totals', 'event_volumes']) {
    await client.query(`select 1 from ${table} for update`);
  }
  for (const turn of [0, 1]) expect(await ingest(turn, events(), 'known')).toMatchObject({ accepted: 1 });
  await client.query('rollback');
  await client.end();
  expect(await observed('known')).toEqual([expect.objectContaining({ count: 4, shapes: 1 })]);
});

it('find every conflict of types, also when each of them saw one of the types', async () => {
  const batches = Array.from({ length: 40 }, (_, turn) => [
    eventReport(`Paid ${Math.floor(turn / 2)}`, [{ name: 'price', type: turn % 2 === 0 ? 'int' : 'string' }]),
  ]);
  for (let from = 0; from < batches.length; from += 8) {
    await ingestAll(batches.slice(from, from + 8), `conflicts-${from}`);
  }
  const response = await call(0, '/inspector/conflicts/v1?limit=100');
  const { conflicts } = (await response.json()) as { conflicts: { eventName: string }[] };
  const names = conflicts.map(({ eventName }) => eventName).filter((name) => name.startsWith('Paid'));
  expect(new Set(names).size).toBe(20);
});

describe('live batches', () => {
  const watchAt = (turn: number) =>
    watch(originOf(turn), 'demo', { authorization: credentials.authorization, 'accept-encoding': 'identity' });
  const sendAt = (turn: number, name: string) => ingest(turn, [eventReport(name, [])], 'live');
  const nameOf = async (stream: LiveStream) => (await nextBatch(stream)).events[0]?.eventName;

  it('are shown by each of them, whichever takes them', async () => {
    const streams = await Promise.all([watchAt(0), watchAt(1)]);
    // Until each knows that the other watches.
    for (const [turn, stream] of streams.entries()) {
      let hasCome = false;
      void nextBatch(stream).then(() => (hasCome = true));
      await expect.poll(async () => (await sendAt(turn + 1, 'first'), hasCome)).toBe(true);
    }
    await sendAt(0, 'last');
    await sendAt(1, 'last');
    for (const stream of streams) {
      const names = [];
      while (names.filter((name) => name === 'last').length < 2) names.push(await nameOf(stream));
      stream.close();
    }
  });

  it('come by notification', async () => {
    for (const { log } of servers) await expect.poll(log).toContain('"way":"listening"');
  });

  it('go on when the connection for notifications breaks', async () => {
    const stream = await watchAt(0);
    const client = new pg.Client(database.location.databaseUrl);
    await client.connect();
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'branchline live' and datname = current_database()`,
    );
    await client.end();
    expect(rowCount).toBe(servers.length);
    let hasCome = false;
    void nextBatch(stream).then(() => (hasCome = true));
    await expect.poll(async () => (await sendAt(1, 'afterwards'), hasCome)).toBe(true);
    const times = (log: string) => log.split('"way":"listening"').length - 1;
    await expect.poll(() => servers.map(({ log }) => times(log()))).toEqual([2, 2]);
    stream.close();
  });
});

describe('an account', () => {
  it('has one limit for both', async () => {
    const rate = 4;
    const { authorization } = await newAccount('--rate-limit', String(rate), '--rate-limit-mode', 'hard');
    const began = performance.now();
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, turn) => call(turn, '/branches/v1', { authorization })),
    );
    const seconds = (performance.now() - began) / 1_000;
    const statuses = responses.map(({ status }) => status);
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(rate);
    expect(served).toBeLessThanOrEqual(rate + seconds * rate);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - served);
  });

  it('that is deleted stops working everywhere with the next request', async () => {
    const { accountId, authorization } = await newAccount('--rate-limit', '1000');
    const statuses = () =>
      Promise.all(servers.map(async (_, turn) => (await call(turn, '/branches/v1', { authorization })).status));
    expect(await statuses()).toEqual([200, 200]);
    await installation.run('account', 'delete', accountId, '--workspace', 'demo');
    expect(await statuses()).toEqual([401, 401]);
  });

  it('may do at one what was begun at the other', async () => {
    const created = await call(0, '/branches/v1', { json: { name: 'begun-here' } });
    const { branchId } = (await created.json()) as { branchId: string };
    expect((await call(1, `/branches/${branchId}/v1`)).status).toBe(200);
    expect(await (await call(1, '/branches/export/v1')).text()).toContain('begun-here,');
  });
});

describe('what is missing or wrong is said without a secret', () => {
  const url = () => database.location.databaseUrl ?? '';

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'no hash key',
      {},
      /With a PostgreSQL database the hash key must be given.*BRANCHLINE_HASH_KEY.*openssl rand -hex 32/,
    ],
    ['another hash key', { BRANCHLINE_HASH_KEY: 'ab'.repeat(32) }, /hash key is not the one under which/],
    [
      'a bad hash key',
      { BRANCHLINE_HASH_KEY: 'hidden-2' },
      /--hash-key <hex> \(BRANCHLINE_HASH_KEY\) is wrong.*64 hexadecimal/,
    ],
    [
      'a bad URL',
      { DATABASE_URL: 'mysql://me:hidden-3@host/x' },
      /--database-url <url> \(DATABASE_URL\) is wrong.*postgres:\/\//,
    ],
  ])('%s', async (_what, env, sentence) => {
    for (const args of [
      ['serve', '--port', '0'],
      ['workspace', 'list'],
    ]) {
      const ended = await branchline(args, { DATABASE_URL: url(), ...env });
      expect(ended.exitCode).toBe(2);
      expect(ended.stderr).toMatch(sentence);
      expect(ended.stderr).not.toMatch(/secret@|hidden|^\s+at /m);
    }
  });

  it('--help shows no value of a secret', async () => {
    const { stdout } = await installation.run('serve', '--help');
    expect(stdout).toContain('DATABASE_URL');
    expect(stdout).not.toContain(url());
  });
});
