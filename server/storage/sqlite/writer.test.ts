import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Kysely, sql, type Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workFor } from '../holder.ts';
import { executeLast, executeLastIf, executeTogether } from '../together.ts';
import { errorOf } from '../testing/error-of.ts';
import { isUnavailable } from '../transient-errors.ts';
import { cannotGrow } from './room-to-grow.ts';
import { writerDialect } from './writer.ts';

interface Numbers {
  numbers: { number: number };
}

let folder: string;
let db: Kysely<Numbers>;
/** How many rows each transaction changed that was committed. */
let committed: number[];

const openWriter = () =>
  new Kysely<Numbers>({
    dialect: writerDialect(join(folder, 'test.db'), async (changedRows) => void committed.push(changedRows)),
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-writer-'));
  committed = [];
  db = openWriter();
  await sql`create table numbers (number integer not null)`.execute(db);
});

afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

const count = async () => (await db.selectFrom('numbers').selectAll().execute()).length;

/** Takes SQLite some tenths of a second. */
const long = sql`insert into numbers
  with recursive counting(n) as (select 1 union all select n + 1 from counting where n < 1000000)
  select n from counting where n % 100000 = 0`;

it('goes on answering while a statement takes long', async () => {
  const state = { ended: false };
  const writing = long.execute(db).then(() => (state.ended = true));
  let turns = 0;
  while (!state.ended) {
    await nextTurn();
    turns += 1;
  }
  await writing;
  expect(await count()).toBe(10);
  expect(turns).toBeGreaterThan(1_000);
});

it('gives the next turn to the holder that has written least', async () => {
  const order: string[] = [];
  const transaction = (name: string) =>
    workFor(name.slice(0, 1), () => db.transaction().execute(async () => order.push(name)));
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(transaction));
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
});

it('runs one transaction at a time, in the order in which they were asked for', async () => {
  const order: string[] = [];
  const transaction = (name: string) =>
    db.transaction().execute(async (tx) => {
      order.push(`${name} begins`);
      await tx.insertInto('numbers').values({ number: 1 }).execute();
      await nextTurn();
      order.push(`${name} ends`);
    });
  await Promise.all([transaction('first'), transaction('second'), transaction('third')]);
  expect(order).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it('begins no transaction before whoever is told of the commit of the one before has answered, and fails with that', async () => {
  await db.destroy();
  const order: string[] = [];
  const told = async () => {
    order.push('told');
    await nextTurn();
    order.push('answered');
    throw new Error('That is lost.');
  };
  db = new Kysely({ dialect: writerDialect(join(folder, 'test.db'), told) });
  const writes = [1, 2].map(() => db.transaction().execute(async () => order.push('begun')));
  for (const write of writes) await expect(write).rejects.toThrow('That is lost.');
  expect(order).toEqual(['begun', 'told', 'answered', 'begun', 'told', 'answered']);
});

it('undoes a transaction that fails, and says why it failed', async () => {
  const failing = db.transaction().execute(async (tx) => {
    await tx.insertInto('numbers').values({ number: 1 }).execute();
    await sql`insert into nowhere values (1)`.execute(tx);
  });
  await expect(failing).rejects.toThrow('no such table: nowhere');
  expect(await count()).toBe(0);
});

/** How often the thread of a new writer has answered, once it was asked for anything. */
async function countAnswers(): Promise<() => number> {
  await db.destroy();
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  db = openWriter();
  let answers = 0;
  void started.then((thread) => thread.on('message', () => (answers += 1)));
  await db.selectFrom('numbers').selectAll().execute();
  return () => answers - 1;
}

const insert = (tx: Transaction<Numbers>, number: number) => tx.insertInto('numbers').values({ number }).compile();

it('sends statements that are run together as one message, with what begins the transaction', async () => {
  const answers = await countAnswers();
  await db.transaction().execute(async (tx) => {
    await executeTogether(tx, [[1, 2, 3].map((number) => insert(tx, number))]);
    expect(answers()).toBe(1);
  });
  expect(await count()).toBe(3);
});

it('sends what commits with the last statements', async () => {
  const answers = await countAnswers();
  await db.transaction().execute((tx) => executeLast(tx, [[insert(tx, 1), insert(tx, 2)]]));
  expect(answers()).toBe(1);
  await db.destroy();
  db = openWriter();
  expect(await count()).toBe(2);
});

it('commits nothing when one of the last statements fails, and runs the next transaction', async () => {
  const failing = db
    .transaction()
    .execute((tx) => executeLast(tx, [[insert(tx, 1), sql`insert into nowhere values (1)`.compile(tx)]]));
  await expect(failing).rejects.toThrow('no such table: nowhere');
  expect(await count()).toBe(0);
  await db.transaction().execute((tx) => executeLast(tx, [[insert(tx, 2)]]));
  expect(await count()).toBe(1);
});

const giving = (tx: Transaction<Numbers>, number: number) =>
  tx.insertInto('numbers').values({ number }).returning('number').compile();

it('sends all of a transaction as one message where the first statements give the rows that are expected', async () => {
  const answers = await countAnswers();
  const { found, isLast } = await db
    .transaction()
    .execute((tx) => executeLastIf(tx, { first: [[giving(tx, 1)], [giving(tx, 2)]], rows: 2, last: [insert(tx, 3)] }));
  expect(answers()).toBe(1);
  expect({ found, isLast }).toEqual({ found: [[{ number: 1 }], [{ number: 2 }]], isLast: true });
  await db.destroy();
  db = openWriter();
  expect(await count()).toBe(3);
});

it.each([0, 1, 3])('goes on with a transaction whose first statements gave 2 rows, and not %d', async (rows) => {
  const outcome = await db.transaction().execute(async (tx) => {
    const first = await executeLastIf(tx, {
      first: [[giving(tx, 1), giving(tx, 2)]],
      rows,
      last: [insert(tx, 3), insert(tx, 4)],
    });
    await executeLast(tx, [[insert(tx, 5)]]);
    return first;
  });
  expect(outcome).toEqual({ found: [[{ number: 1 }, { number: 2 }]], isLast: false });
  expect(await db.selectFrom('numbers').select('number').execute()).toEqual([1, 2, 5].map((number) => ({ number })));
});

it('commits nothing of a transaction whose first statements gave other rows, when it fails then', async () => {
  const failing = db.transaction().execute(async (tx) => {
    await executeLastIf(tx, { first: [[giving(tx, 1)]], rows: 2, last: [insert(tx, 3)] });
    throw new Error('It is not to be.');
  });
  await expect(failing).rejects.toThrow('It is not to be.');
  expect(await count()).toBe(0);
});

it.each(['first', 'last'])('commits nothing when one of the %s statements fails, and says why', async (where) => {
  const failing = db.transaction().execute((tx) => {
    const statements = { first: [giving(tx, 1)], last: [insert(tx, 2)] };
    statements[where as 'first' | 'last'].push(sql<{ number: number }>`insert into nowhere values (1)`.compile(tx));
    return executeLastIf(tx, { ...statements, first: [statements.first], rows: 1 });
  });
  await expect(failing).rejects.toThrow('no such table: nowhere');
  expect(await count()).toBe(0);
});

it('runs no statement after the last one', async () => {
  const failing = db.transaction().execute(async (tx) => {
    await executeLast(tx, [[insert(tx, 1)]]);
    await tx.insertInto('numbers').values({ number: 2 }).execute();
  });
  await expect(failing).rejects.toThrow('has run its last statement');
  expect(await count()).toBe(1);
});

it('tells of each transaction that is committed how many rows it changed', async () => {
  await db.transaction().execute((tx) => executeLast(tx, [[insert(tx, 1), insert(tx, 2)]]));
  await db.transaction().execute((tx) => tx.insertInto('numbers').values({ number: 3 }).execute());
  await db.transaction().execute((tx) => tx.selectFrom('numbers').selectAll().execute());
  await db.transaction().execute((tx) => tx.deleteFrom('numbers').execute());
  await db
    .transaction()
    .execute((tx) => executeTogether(tx, [[insert(tx, 4), sql`insert into nowhere values (1)`.compile(tx)]]))
    .catch(() => {});
  expect(committed).toEqual([2, 1, 0, 3]);
});

it('waits for another process that writes, before the transaction has run anything', async () => {
  using other = new DatabaseSync(join(folder, 'test.db'));
  other.exec('pragma journal_mode = wal; begin immediate');
  const writing = db.transaction().execute((tx) => executeLast(tx, [[insert(tx, 1)]]));
  await nextTurn();
  other.exec('insert into numbers values (2); commit');
  await writing;
  expect(await count()).toBe(2);
});

it('runs nothing of what comes together with a statement after which there is no transaction any more', async () => {
  await sql`create unique index one on numbers (number)`.execute(db);
  await db.insertInto('numbers').values({ number: 1 }).execute();
  const failing = db
    .transaction()
    .execute((tx) =>
      executeTogether(tx, [
        [sql`insert or rollback into numbers values (1)`.compile(tx), sql`insert into numbers values (2)`.compile(tx)],
      ]),
    );
  await expect(failing).rejects.toThrow('UNIQUE constraint failed');
  expect(await count()).toBe(1);
});

it('hands over text, whole numbers, fractions, null and bytes as they are', async () => {
  const values = ['text \u00fc', 2 ** 53 - 1, 0.5, null, new Uint8Array([0, 255])];
  const { rows } = await sql<Record<string, unknown>>`select ${values[0]} as a, ${values[1]} as b, ${values[2]} as c,
    ${values[3]} as d, ${values[4]} as e`.execute(db);
  expect(Object.values(rows[0] ?? {})).toEqual(values);
});

it('hands over many bytes of different lengths, each to its place', async () => {
  const bytes = [3, 0, 40, 1].map((length) => new Uint8Array(length).fill(length));
  const { rows } = await sql<Record<string, unknown>>`select ${bytes[0]} as a, null as b, ${bytes[1]} as c
    union all select ${bytes[2]}, 1, ${bytes[3]}`.execute(db);
  expect(rows).toEqual([
    { a: bytes[0], b: null, c: bytes[1] },
    { a: bytes[2], b: 1, c: bytes[3] },
  ]);
});

describe('a thread that does not answer in time', () => {
  beforeEach(async () => {
    await db.destroy();
    db = new Kysely<Numbers>({ dialect: writerDialect(join(folder, 'test.db'), async () => {}, { answerMs: 30 }) });
    await answersAgain();
  });

  const answersAgain = () =>
    expect.poll(() => errorOf(db.selectFrom('numbers').selectAll().execute()), { timeout: 10_000 }).toBeUndefined();

  const fill = (tx: Transaction<Numbers>) => long.execute(tx);

  it('fails what was asked, and all else at once until it answers', async () => {
    const error = await errorOf(db.transaction().execute(fill));
    expect(String(error)).toContain('SQLite has not answered for 0.03 seconds');
    expect(isUnavailable(error)).toBe(true);
    const began = performance.now();
    const next = await errorOf(db.insertInto('numbers').values({ number: 1 }).execute());
    expect(isUnavailable(next)).toBe(true);
    expect(performance.now() - began, 'it waits for nothing').toBeLessThan(25);
  });

  it('undoes what was not committed, and serves again', async () => {
    await errorOf(db.transaction().execute(fill));
    await answersAgain();
    expect(await count()).toBe(0);
    await db.insertInto('numbers').values({ number: 1 }).execute();
    expect(await count()).toBe(1);
  });
});

it('fails the transaction whose thread ends, all of it, and goes on with a new thread', async () => {
  await db.destroy();
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  db = openWriter();
  const one = sql`insert into numbers values (1)`;
  const failing: unknown = await db
    .transaction()
    .execute(async (tx) => {
      await one.execute(tx);
      await (await started).terminate();
      await one.execute(tx);
    })
    .catch((thrown: unknown) => thrown);
  expect(String(failing)).toContain('The thread that writes has ended');
  expect(isUnavailable(failing)).toBe(true);
  expect(await count()).toBe(0);
});

it('tells what SQLite says of a file that its thread can not open, again and again, and can be closed', async () => {
  await db.destroy();
  writeFileSync(join(folder, 'test.db'), 'This is no database. '.repeat(100));
  db = openWriter();
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(count()).rejects.toMatchObject({ errcode: 26, message: 'file is not a database' });
  }
});

it('goes on once its thread can be started, says that it could not until then, and can be closed', async () => {
  await db.destroy();
  db = openWriter();
  const refused = new Promise<void>((resolve) => {
    process.once('worker', (thread) => void thread.terminate().then(() => resolve()));
  });
  const failure: unknown = await count().catch((thrown: unknown) => thrown);
  await refused;
  expect(String(failure)).toContain("The thread that writes can't be started");
  expect(isUnavailable(failure)).toBe(true);
  expect(cannotGrow(failure)).toBe(false);
  expect(await count()).toBe(0);
});
