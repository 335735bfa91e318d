import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { StatementCache } from './statement-cache.ts';

class CountingDatabase extends DatabaseSync {
  prepared = 0;

  override prepare(text: string) {
    this.prepared += 1;
    return super.prepare(text);
  }
}

const manyRows = (values: number) => `select 1 where 1 in (${'1, '.repeat(values)}1)`;

it('prepares a statement once, however long it is', () => {
  using database = new CountingDatabase(':memory:');
  const cache = new StatementCache(database);
  for (const text of ['select 1', manyRows(3_000), 'select 1', manyRows(3_000)]) cache.prepare(text);
  expect(database.prepared).toBe(2);
});

it('drops those first that were not used for longest, and no others', () => {
  using database = new CountingDatabase(':memory:');
  const cache = new StatementCache(database);
  for (let values = 0; values < 2_000; values += 1) {
    cache.prepare(manyRows(values));
    cache.prepare('select 1');
  }
  expect(database.prepared).toBe(2_001);
  cache.prepare(manyRows(1_999));
  expect(database.prepared).toBe(2_001);
  cache.prepare(manyRows(0));
  expect(database.prepared).toBe(2_002);
});
