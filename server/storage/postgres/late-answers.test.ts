import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { errorOf } from '../testing/error-of.ts';
import { newDatabase } from '../testing/databases.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { isUnavailable } from '../transient-errors.ts';
import { openPostgres } from './database.ts';

/** For what is not to run out, however slow the machine is. */
const LONG_MS = 3_600_000;

const ROW = { workspace_id: 'a', hash_key_id: 'k', created_at: 1 };

/** A database behind what can hold its answers back, over the one connection that a storage has for requests. */
async function openBehind() {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const url = database.location.databaseUrl ?? '';
  const answers = await holdBackFrom(new URL(url));
  const storage = await openPostgres(answers.url, {
    statementMs: 100,
    graceMs: 0,
    connections: 1,
    connectMs: LONG_MS,
    cancelMs: LONG_MS,
  });
  onTestFinished(() => storage.close());
  return { url, answers, storage: ofTest(storage) };
}

async function holdBackFrom(target: URL) {
  const upstreams = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    upstreams.add(upstream);
    upstream.on('close', () => upstreams.delete(upstream));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.pipe(to);
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const behind = new URL(target);
  behind.port = String((proxy.address() as AddressInfo).port);
  return {
    url: behind.href,
    hold: () => upstreams.forEach((upstream) => upstream.pause()),
    release: () => upstreams.forEach((upstream) => upstream.resume()),
  };
}

it('to the beginning of a transaction leave no connection in that transaction to whoever comes next', async () => {
  const { url, answers, storage } = await openBehind();
  await sql`select 1`.execute(storage.db);
  answers.hold();
  const begun = errorOf(storage.write((tx) => sql`select 1`.execute(tx)));
  expect(isUnavailable(await begun)).toBe(true);
  answers.release();
  await storage.db.insertInto('workspaces').values(ROW).execute();
  const other = new pg.Client(url);
  onTestFinished(() => other.end());
  await other.connect();
  expect((await other.query('select workspace_id from workspaces')).rows).toEqual([{ workspace_id: 'a' }]);
});
