// @module-tag both-engines
import { sql, type Transaction } from 'kysely';
import { expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { isPostgres } from '../../storage/text-column.ts';
import type { EventSchema } from '../event-schema.ts';
import { ENVIRONMENTS } from '../limits.ts';
import { batch, event, KEY, openIngest } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { watchTransactions } from '../testing/transactions.ts';

const SOURCES = ['web', 'ios', 'android', 'tv'];
/** A report names the ten newest app versions of an event, so from then on as many stand in its row. */
const FIRST = 12;
const LAST = 40;

/** The first shape of the event has other types than the second, so that all of its properties conflict. */
const schemaOf = (type: 'int' | 'string'): EventSchema =>
  Array.from({ length: 50 }, (_, index) => ({ name: `property ${index}`, type }));

/** The storage, and how many rows PostgreSQL has read in each transaction; none on SQLite, which does not tell. */
function watchRowsRead(storage: Storage): { storage: Storage; rowsRead: number[] } {
  const rowsRead: number[] = [];
  const read = sql<{ rows: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables /* a test */`;
  // The counters go on from one transaction of a connection to the next.
  const count = async (tx: Transaction<Tables>) => (isPostgres(tx) ? ((await read.execute(tx)).rows[0]?.rows ?? 0) : 0);
  const write: Storage['write'] = (work) =>
    storage.write(async (tx) => {
      const before = await count(tx);
      const result = await work(tx);
      rowsRead.push((await count(tx)) - before);
      return result;
    });
  return { storage: { ...storage, write }, rowsRead };
}

test('a new app version costs the same however many there were, with properties that conflict in all of them', async ({
  storage,
}) => {
  const watched = watchTransactions(storage);
  const reading = watchRowsRead(watched.storage);
  const ingest = openIngest({ storage: reading.storage });
  /** What the transactions of this version take, in each source and environment. */
  const take = async (version: number) => {
    const before = [watched.transactions.length, reading.rowsRead.length] as const;
    for (const source of SOURCES) {
      for (const environment of ENVIRONMENTS) {
        const events = (['int', 'string'] as const).map((type) => event({ schema: schemaOf(type) }));
        const sent = batch(events, { version: `1.${String(version).padStart(3, '0')}`, environment });
        expect(await ingest.take({ ...KEY, source }, sent)).toMatchObject({ accepted: 2 });
      }
    }
    const transactions = watched.transactions.slice(before[0]);
    return {
      transactions: transactions.length,
      parameters: transactions.reduce((sum, { parameters }) => sum + parameters, 0),
      characters: transactions.reduce((sum, { characters }) => sum + characters, 0),
      rows: transactions.reduce((sum, { rows }) => sum + rows, 0),
      rowsRead: reading.rowsRead.slice(before[1]).reduce((sum, rows) => sum + rows, 0),
    };
  };
  for (let version = 0; version < FIRST; version += 1) await take(version);
  const { rowsRead: _, ...first } = await take(FIRST);
  for (let version = FIRST + 1; version < LAST; version += 1) await take(version);
  const { rowsRead, ...last } = await take(LAST);
  expect(last).toEqual(first);
  // Which plans there are changes with the size of tables, and with that how many rows are counted. It is in proportion to what is
  // asked for; what is computed from every place would read many times as many.
  expect(rowsRead).toBeLessThanOrEqual(4 * last.parameters);
  await ingest.close();
});
