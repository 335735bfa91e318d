// @module-tag both-engines
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '@branchline/command-line';
import { openStorage } from './open.ts';
import { type Storage, STREAM_CHUNK_ROWS } from './storage.ts';
import { WORKSPACE_KEYS, WORKSPACE_TABLES } from './tables.ts';
import { newDatabase, type TestDatabase, testedEngine } from './testing/databases.ts';
import { ofTest } from './testing/statements-of-tests.ts';
import { executeTogether } from './together.ts';

/** What holds on either engine. */

let database: TestDatabase;
const opened: Storage[] = [];

beforeEach(async () => {
  database = await newDatabase();
});

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  await database.remove();
});

async function open(): Promise<Storage> {
  const storage = await openStorage(database.location);
  opened.push(storage);
  return ofTest(storage);
}

const row = (id: string) => ({ workspace_id: id, hash_key_id: 'k', created_at: 1 });

const add = (storage: Storage, ...ids: string[]) => storage.db.insertInto('workspaces').values(ids.map(row)).execute();

const addMigration = async (name: string) => {
  const storage = await open();
  await storage.db
    .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
    .insertInto('kysely_migration')
    .values({ name, timestamp: '2030-01-01' })
    .execute();
};

const ids = async (storage: Storage) =>
  (await storage.db.selectFrom('workspaces').select('workspace_id').orderBy('workspace_id').execute()).map(
    ({ workspace_id }) => workspace_id,
  );

describe('a database', () => {
  it('keeps what it is given', async () => {
    await add(await open(), 'a');
    await opened.pop()?.close();
    expect(await ids(await open())).toEqual(['a']);
  });

  it('may be opened, and so migrated, by several at once', async () => {
    const { location, remove } = await newDatabase({ empty: true });
    const storages = await Promise.all(Array.from({ length: 5 }, async () => ofTest(await openStorage(location))));
    for (const storage of storages) expect(await ids(storage)).toEqual([]);
    for (const storage of storages) await storage.close();
    await remove();
  });

  it('is refused, unchanged, when a newer version has migrated it', async () => {
    await addMigration('9999_tomorrow');
    await expect(openStorage(database.location)).rejects.toThrow(
      /belongs to a newer Branchline.*9999_tomorrow.*Start the newer version/,
    );
  });

  it('takes no writes any more, and is not ready, once a newer version has migrated it, and says so', async () => {
    const storage = ofTest(await openStorage(database.location, { endWithNewerVersion: true }));
    opened.push(storage);
    await storage.ping();
    await addMigration('9999_tomorrow');
    const loss = await storage.lost;
    expect(loss.message).toMatch(
      /A newer Branchline has migrated .* "9999_tomorrow".* Start the newer version instead/,
    );
    await expect(storage.write((tx) => tx.insertInto('workspaces').values(row('late')).execute())).rejects.toBe(loss);
    await expect(storage.ping()).rejects.toBe(loss);
    expect(await ids(storage)).toEqual([]);
  });

  it('is refused, unchanged, when it lacks a migration that comes before another one', async () => {
    const storage = await open();
    const done = storage.db.withTables<{ kysely_migration: { name: string } }>();
    await done.deleteFrom('kysely_migration').where('name', '=', '0011_inspector_issues').execute();
    await expect(openStorage(database.location)).rejects.toThrow(
      /can't be migrated: it has the migration "00\d\d_\w+", but not "0011_inspector_issues".*start that one/,
    );
  });

  it('is refused in a sentence, unchanged, when its tables are not what its migrations made', async () => {
    const storage = await open();
    const done = storage.db.withTables<{ kysely_migration: { name: string } }>();
    await done.deleteFrom('kysely_migration').where('name', '=', '0017_refused').execute();
    await storage.db.schema.dropIndex('issue_versions_by_due').execute();
    const opening = openStorage(database.location);
    await expect(opening).rejects.toThrow(/can't be .*issue_versions_by_due/);
    await expect(opening).rejects.toThrow(UserError);
  });

  it('is not made by who may not make one', async () => {
    const { location, remove } = await newDatabase({ empty: true });
    await expect(openStorage(location, { create: false })).rejects.toThrow(/There is no.* Start the server once/);
    await expect(openStorage(location, { create: false })).rejects.toThrow(/There is no/);
    await remove();
  });

  it('undoes what a failed transaction has written', async () => {
    const storage = await open();
    const failing = storage.write(async (tx) => {
      await tx.insertInto('workspaces').values(row('half')).execute();
      throw new Error('and now it fails');
    });
    await expect(failing).rejects.toThrow('and now it fails');
    expect(await ids(storage)).toEqual([]);
  });

  it('runs statements together in their order, and gives the rows of each', async () => {
    const storage = await open();
    const insert = (tx: Storage['db'], id: string) => tx.insertInto('workspaces').values(row(id)).compile();
    const select = (tx: Storage['db']) =>
      tx.selectFrom('workspaces').select('workspace_id').orderBy('workspace_id').compile();
    const [before, added, after] = await storage.write((tx) =>
      executeTogether(tx, [[select(tx)], [insert(tx, 'b'), insert(tx, 'a')], [select(tx)]]),
    );
    expect([before, added, after]).toEqual([[], [], [{ workspace_id: 'a' }, { workspace_id: 'b' }]]);
  });

  it('throws what the first of several statements threw, and has undone all of them', async () => {
    const storage = await open();
    const failing = storage.write((tx) =>
      executeTogether(tx, [
        [tx.insertInto('workspaces').values(row('before')).compile()],
        [sql`insert into nowhere values (1)`.compile(tx), sql`insert into elsewhere values (1)`.compile(tx)],
        [tx.insertInto('workspaces').values(row('behind')).compile()],
      ]),
    );
    await expect(failing).rejects.toThrow('nowhere');
    expect(await ids(storage)).toEqual([]);
    await storage.write((tx) => tx.insertInto('workspaces').values(row('next')).execute());
    expect(await ids(storage)).toEqual(['next']);
  });

  it('sorts and compares text byte by byte', async () => {
    const storage = await open();
    const inOrder = ['A', 'Z', '[]', '_', 'a', 'a b', 'a-b', 'ab', 'ä', '日本', '😀'];
    await add(storage, ...inOrder.toReversed());
    expect(await ids(storage)).toEqual(inOrder);
    const after = await storage.db
      .selectFrom('workspaces')
      .select('workspace_id')
      .where('workspace_id', '>', 'Z')
      .execute();
    expect(after).toHaveLength(inOrder.length - 2);
  });

  it('gives whole numbers and their sums as numbers', async () => {
    const storage = await open();
    const time = Date.UTC(9999, 11, 31);
    await storage.db
      .insertInto('workspaces')
      .values({ ...row('a'), created_at: time })
      .execute();
    const found = await storage.db
      .selectFrom('workspaces')
      .select(({ fn }) => ['created_at', fn.sum('created_at').as('sum'), fn.countAll().as('count')])
      .groupBy('created_at')
      .execute();
    expect(found).toEqual([{ created_at: time, sum: time, count: 1 }]);
  });

  it('begins each primary key and unique index with workspace_id, but for what belongs to no workspace', async () => {
    const columns = await uniqueIndexes(await open());
    expect(columns.length).toBeGreaterThan(12);
    for (const { index, table, position, column } of columns) {
      if (position === 0 && table !== 'maintenance') expect(column, index).toBe('workspace_id');
    }
  });

  it('has the primary keys that are listed for the tables of a workspace', async () => {
    const columns = (await uniqueIndexes(await open())).filter(({ primary }) => Boolean(primary));
    const keys = Object.groupBy(columns, ({ table }) => table);
    for (const table of WORKSPACE_TABLES) {
      expect(
        keys[table]?.map(({ column }) => column),
        table,
      ).toEqual(['workspace_id', ...WORKSPACE_KEYS[table]]);
    }
    const others = [
      'workspaces',
      'maintenance',
      ...(testedEngine() === 'postgres' ? ['rate_limits', 'live_messages'] : []),
    ];
    expect(new Set(Object.keys(keys))).toEqual(new Set([...WORKSPACE_TABLES, ...others]));
  });
});

interface IndexColumn {
  table: string;
  index: string;
  /** 0: the column that it begins with. */
  position: number;
  column: string;
  primary: boolean | number;
}

/** The columns of all unique indexes, in their order. */
async function uniqueIndexes({ db }: Storage): Promise<IndexColumn[]> {
  const onSqlite = sql<IndexColumn>`
    select s.name as "table", l.name as "index", i.seqno as "position", i.name as "column", l.origin = 'pk' as "primary"
    from sqlite_schema s, pragma_index_list(s.name) l, pragma_index_info(l.name) i
    where s.type = 'table' and s.name not like 'sqlite_%' and s.name not like 'kysely_%' and l."unique" = 1
    order by l.name, i.seqno`;
  const onPostgres = sql<IndexColumn>`
    select t.relname as "table", c.relname as "index", k.position - 1 as "position", a.attname as "column",
      i.indisprimary as "primary"
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    cross join unnest(i.indkey) with ordinality as k(number, position)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indisunique and n.nspname = 'public' and t.relname not like 'kysely_%'
    order by c.relname, k.position`;
  return (await (testedEngine() === 'sqlite' ? onSqlite : onPostgres).execute(db)).rows;
}

describe('a streamed query', () => {
  const allWorkspaces = (storage: Storage) =>
    storage.stream((db) => db.selectFrom('workspaces').selectAll().orderBy('workspace_id'), 'w');

  const fill = (storage: Storage, count: number) => add(storage, ...Array.from({ length: count }, (_, i) => `w-${i}`));

  it('sees one snapshot, whatever is written while it is read, and holds no writer back', async () => {
    const storage = await open();
    await fill(storage, STREAM_CHUNK_ROWS * 3);
    let seen = 0;
    let chunks = 0;
    for await (const chunk of allWorkspaces(storage)) {
      expect(chunk.length).toBeLessThanOrEqual(STREAM_CHUNK_ROWS);
      seen += chunk.length;
      chunks += 1;
      await add(storage, `z-late-${seen}`);
    }
    expect(seen).toBe(STREAM_CHUNK_ROWS * 3);
    expect(await ids(storage)).toHaveLength(STREAM_CHUNK_ROWS * 3 + chunks);
  });

  it('is empty where there is nothing, and ends after its last row', async () => {
    const storage = await open();
    expect(await Array.fromAsync(allWorkspaces(storage))).toEqual([]);
    await fill(storage, STREAM_CHUNK_ROWS + 1);
    const lengths = (await Array.fromAsync(allWorkspaces(storage))).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(STREAM_CHUNK_ROWS);
    expect(Math.min(...lengths)).toBeGreaterThan(0);
    expect(lengths.reduce((sum, length) => sum + length)).toBe(STREAM_CHUNK_ROWS + 1);
  });

  it('takes parameters', async () => {
    const storage = await open();
    await add(storage, 'a', 'b', 'c');
    const some = storage.stream(
      (db) => db.selectFrom('workspaces').selectAll().where('workspace_id', 'in', ['b', 'c']),
      'w',
    );
    expect((await Array.fromAsync(some)).flat()).toMatchObject([row('b'), row('c')]);
  });

  it('frees what it holds when it is left, however often', async () => {
    const storage = await open();
    await fill(storage, STREAM_CHUNK_ROWS * 2);
    for (let round = 0; round < 20; round += 1) {
      for await (const chunk of allWorkspaces(storage)) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    }
    await storage.write((tx) => tx.deleteFrom('workspaces').execute());
    expect(await ids(storage)).toEqual([]);
  });
});
