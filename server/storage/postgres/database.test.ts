import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { workFor } from '../holder.ts';
import { openPostgres } from './database.ts';
import type { Storage } from '../storage.ts';
import { countConnections, mostConnections } from '../testing/connections.ts';
import { administer, newDatabase, type TestDatabase } from '../testing/databases.ts';
import { errorOf } from '../testing/error-of.ts';
import { executeTogether } from '../together.ts';
import { isUnavailable, Unavailable } from '../transient-errors.ts';
import { ofTest } from '../testing/statements-of-tests.ts';

let database: TestDatabase;
let url: string;
const opened: Storage[] = [];

beforeEach(async () => {
  database = await newDatabase();
  url = database.location.databaseUrl ?? '';
});

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  await database.remove();
});

async function open(options?: Parameters<typeof openPostgres>[1]): Promise<Storage> {
  const storage = await openPostgres(url, options);
  opened.push(storage);
  return ofTest(storage);
}

const row = (id: string, created_at = 1) => ({ workspace_id: id, hash_key_id: 'k', created_at });

/** For what is not to run out, however slow the machine is. */
const LONG_MS = 3_600_000;

it('a database that gives fewer connections than it is to has requests wait for those that there are', async () => {
  const name = new URL(url).pathname.slice(1);
  const role = `${name}_few`;
  const asRole = new URL(url);
  asRole.username = role;
  asRole.password = 'hidden-3';
  await administer(
    url,
    `create role ${role} login password 'hidden-3' connection limit 3`,
    `grant all on all tables in schema public to ${role}`,
    `grant create on schema public to ${role}`,
  );
  const storage = await openPostgres(asRole.href, { connections: 8, create: false, connectMs: LONG_MS });
  const read = (n: number) =>
    workFor(`holder-${n % 4}`, () => sql`select pg_sleep(0.02) /* a test */`.execute(storage.db).then(() => 'read'));
  const reads = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => read(n)));
  expect(reads.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(await errorOf(storage.ping())).toBeUndefined();
  await storage.close();
  await administer(url, `drop owned by ${role}`, `drop role ${role}`);
});

describe('a transaction', () => {
  it('that stands in the way of another is tried again, and both succeed', async () => {
    const [one, other] = [await open(), await open()];
    await one.db
      .insertInto('workspaces')
      .values([row('a'), row('b')])
      .execute();
    const met = Promise.withResolvers<void>();
    let attempts = 0;
    let locked = 0;
    // Each locks what the other wants next: PostgreSQL ends one of them.
    const cross = (storage: Storage, first: string, second: string) =>
      storage.write(async (tx) => {
        attempts += 1;
        const touch = (id: string) =>
          tx
            .updateTable('workspaces')
            .set((eb) => ({ created_at: eb('created_at', '+', 1) }))
            .where('workspace_id', '=', id)
            .execute();
        await touch(first);
        locked += 1;
        if (locked === 2) met.resolve();
        await met.promise;
        await touch(second);
      });
    await Promise.all([cross(one, 'a', 'b'), cross(other, 'b', 'a')]);
    // The same two may meet more than once.
    expect(attempts).toBeGreaterThanOrEqual(3);
    const times = await one.db.selectFrom('workspaces').select('created_at').execute();
    expect(times).toEqual([{ created_at: 3 }, { created_at: 3 }]);
  });

  it('that stands in the way of others each time is refused, which is no failure of the database', async () => {
    const storage = await open();
    let attempts = 0;
    const failing = storage.write(async (tx) => {
      attempts += 1;
      await sql`do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`.execute(tx);
    });
    expect(await errorOf(failing)).toBeInstanceOf(Unavailable);
    expect(attempts).toBe(5);
  });

  it('is not tried again for any other reason', async () => {
    const storage = await open();
    let attempts = 0;
    const failing = storage.write(async (tx) => {
      attempts += 1;
      await sql`select 1 / 0`.execute(tx);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(attempts).toBe(1);
  });

  it('is bounded in each statement, and says then that it may be tried later', async () => {
    const storage = await open({ statementMs: 100, graceMs: LONG_MS });
    const error = await errorOf(storage.write((tx) => sql`select pg_sleep(3600)`.execute(tx)));
    expect(String(error)).toContain('statement timeout');
    expect(isUnavailable(error)).toBe(true);
    // Each of these has no longer, either.
    await expect.poll(() => errorOf(storage.write((tx) => sql`select 1`.execute(tx)))).toBeUndefined();
  });

  it('that waits for a lock is bounded too', async () => {
    const [one, other] = [await open(), await open({ statementMs: 100, graceMs: LONG_MS })];
    await one.db.insertInto('workspaces').values(row('a')).execute();
    await one.write(async (tx) => {
      await tx.updateTable('workspaces').set({ created_at: 2 }).execute();
      const error = await errorOf(other.write((tx) => tx.updateTable('workspaces').set({ created_at: 3 }).execute()));
      expect(isUnavailable(error)).toBe(true);
    });
  });
});

describe('a read whose answer does not come', () => {
  it('is given up, and ended on the server', async () => {
    const storage = await open({ statementMs: 100, cancelMs: LONG_MS });
    const error = await errorOf(sql`select pg_sleep(3600)`.execute(storage.db));
    expect(String(error)).toContain('PostgreSQL did not answer within');
    expect(isUnavailable(error)).toBe(true);
    await expect.poll(() => countConnections(url)).toEqual({ all: 1, waiting: 0 });
  });

  it('leaves its connection, which serves others', async () => {
    const storage = await open({ statementMs: 100, connections: 1, connectMs: LONG_MS, cancelMs: LONG_MS });
    const readId = async () =>
      (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(storage.db)).rows[0]?.id;
    const before = await readId();
    await errorOf(sql`select pg_sleep(3600)`.execute(storage.db));
    expect(await readId()).toBe(before);
  });

  it('is given up after its own time, not that of what it was sent together with', async () => {
    const storage = await open({ statementMs: 100, graceMs: 2_900, cancelMs: LONG_MS });
    const short = () => sql`select pg_sleep(0.1)`.compile(storage.db);
    await executeTogether(storage.db, [Array.from({ length: 35 }, short)]);
    const together = executeTogether(storage.db, [[short(), sql`select pg_sleep(3600)`.compile(storage.db), short()]]);
    expect(String(await errorOf(together))).toContain('PostgreSQL did not answer within');
    await expect.poll(() => countConnections(url)).toEqual({ all: 1, waiting: 0 });
  });

  it('of one holder waits for others of it, not so those of another', async () => {
    const storage = await open({ connections: 4, connectMs: LONG_MS, statementMs: LONG_MS });
    const other = new pg.Client(url);
    await other.connect();
    await other.query('begin; lock table branches');
    const read = () => storage.db.selectFrom('branches').select('name').execute();
    const many = Array.from({ length: 20 }, () => workFor('many', read));
    await workFor('few', () => sql`select 1`.execute(storage.db));
    await expect.poll(() => countConnections(url)).toEqual({ all: 4, waiting: 3 });
    await other.end();
    expect(await Promise.all(many)).toHaveLength(20);
  });

  it('of a holder that has its share in use for too long is refused, which is no failure of the database', async () => {
    const storage = await open({ connections: 4, connectMs: LONG_MS, statementMs: LONG_MS });
    const other = new pg.Client(url);
    await other.connect();
    await other.query('begin; lock table branches');
    const read = () => workFor('many', () => storage.db.selectFrom('branches').select('name').execute());
    const served = [read(), read(), read()];
    await expect.poll(() => countConnections(url)).toEqual({ all: 3, waiting: 3 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refused = errorOf(read());
    await turnOfTheLoop();
    vi.advanceTimersByTime(LONG_MS);
    const error = await refused;
    vi.useRealTimers();
    await other.end();
    expect(await Promise.all(served)).toHaveLength(3);
    expect(error).toBeInstanceOf(Unavailable);
    expect(String(error)).toContain('All connections to PostgreSQL are in use');
  });

  it('does not let the connections grow beyond their number, as long as a table is locked', async () => {
    const storage = await open({ statementMs: 100, connections: 3, cancelMs: LONG_MS });
    const other = new pg.Client(url);
    await other.connect();
    await other.query('begin; lock table branches');
    const read = () => errorOf(storage.db.selectFrom('branches').select('name').execute());
    const waves = async () => {
      for (let wave = 0; wave < 3; wave += 1) {
        const errors = await Promise.all(Array.from({ length: 6 }, (_, index) => workFor(`holder ${index}`, read)));
        expect(errors.map(isUnavailable)).toEqual(errors.map(() => true));
      }
    };
    expect(await mostConnections(url, waves())).toEqual({ all: 3, waiting: 3 });
    await other.end();
    await expect.poll(async () => (await countConnections(url)).waiting).toBe(0);
    expect(await storage.db.selectFrom('branches').select('name').execute()).toEqual([]);
  });
});

it('an error holds no value of a row', async () => {
  const storage = await open();
  const add = () => storage.db.insertInto('workspaces').values(row('canary')).execute();
  await add();
  for (const fail of [add, () => sql`select 'canary'::bigint`.execute(storage.db)]) {
    const error = await errorOf(fail());
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify(error) + String(error) + String(error instanceof Error && error.stack)).not.toContain(
      'canary',
    );
  }
});

it('exports hold back neither requests nor those of others, and each other for a bounded time only', async () => {
  const storage = await open({ snapshots: { waitMs: 200 } });
  await storage.db.insertInto('workspaces').values(row('a')).execute();
  const all = (holder: string) => storage.stream((db) => db.selectFrom('workspaces').selectAll(), holder);
  const slow = Array.from({ length: 2 }, () => all('slow')[Symbol.asyncIterator]());
  for (const one of slow) await one.next();
  expect(isUnavailable(await errorOf(all('slow')[Symbol.asyncIterator]().next()))).toBe(true);
  expect((await Array.fromAsync(all('other'))).flat()).toHaveLength(1);
  await storage.write((tx) => tx.insertInto('workspaces').values(row('b')).execute());
  for (const one of slow) await one.return?.();
  expect((await Array.fromAsync(all('slow'))).flat()).toHaveLength(2);
});

it('an export that is not read to its end is ended, and its connection free', async () => {
  const storage = await open();
  await storage.db
    .insertInto('workspaces')
    .values([row('a'), row('b')])
    .execute();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const left = storage.stream((db) => db.selectFrom('workspaces').selectAll(), 'w')[Symbol.asyncIterator]();
  await left.next();
  const transactions = async () =>
    (
      await sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`.execute(storage.db)
    ).rows[0]?.count;
  expect(await transactions()).toBe(1);
  vi.advanceTimersByTime(300_000);
  await expect.poll(transactions).toBe(0);
  await expect(left.next()).rejects.toThrow('was not read within');
});

it('no state of a session is used: no lock, prepared statement or setting outlives a transaction', async () => {
  const storage = await open();
  await storage.write((tx) => tx.insertInto('workspaces').values(row('a')).execute());
  await Array.fromAsync(storage.stream((db) => db.selectFrom('workspaces').selectAll(), 'w'));
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and datname = current_database()) as locks,
    (select count(*) from pg_prepared_statements) as statements,
    (select count(*) from pg_cursors where name <> '') as cursors,
    (select count(*) from pg_settings where source = 'session' and name like '%timeout') as settings`.execute(
    storage.db,
  );
  expect(rows).toEqual([{ locks: 0, statements: 0, cursors: 0, settings: 0 }]);
});

it.each(['branches', 'seen_messages_3', 'rate_limits'])('is not ready while %s can not be read', async (table) => {
  const storage = await open();
  await storage.ping();
  const other = new pg.Client(url);
  await other.connect();
  await other.query(`begin; lock table ${table}`);
  const began = performance.now();
  const errors = await Promise.all(Array.from({ length: 20 }, () => errorOf(storage.ping())));
  // Together they take the two seconds that one has; one after the other it would be forty.
  expect(performance.now() - began).toBeLessThan(20_000);
  for (const error of errors) expect(String(error)).toMatch(/did not answer|statement timeout/);
  // All of them together took one connection: others serve what does not need the table.
  const { rows } = await other.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks where not granted and relation = '${table}'::regclass`,
  );
  expect(rows[0]?.waiting).toBeLessThanOrEqual(1);
  await other.end();
  await expect.poll(() => errorOf(storage.ping())).toBeUndefined();
});

it('takes as many connections as it is told', async () => {
  const storage = await open({ connections: 2, exportConnections: 1, connectMs: LONG_MS });
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      workFor(`holder ${index}`, () => sql`select pg_sleep(0.05)`.execute(storage.db)),
    ),
  );
  await Promise.all(
    Array.from({ length: 4 }, () =>
      Array.fromAsync(storage.stream((db) => db.selectFrom('workspaces').selectAll(), 'demo')),
    ),
  );
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'branchline'`.execute(storage.db);
  expect(rows).toEqual([{ count: 3 }]);
});

it('is not ready while it takes no writes', async () => {
  const storage = await open();
  await storage.ping();
  const name = new URL(url).pathname.slice(1);
  await administer(url, `alter database ${name} set default_transaction_read_only = on`);
  const other = ofTest(await openPostgres(url, { create: false }));
  opened.push(other);
  await expect(other.ping()).rejects.toThrow('read-only');
  const error = await errorOf(other.write((tx) => tx.insertInto('workspaces').values(row('a')).execute()));
  expect(isUnavailable(error)).toBe(true);
});
