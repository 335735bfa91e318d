import type { CompiledQuery, DatabaseConnection } from 'kysely';
import { vi } from 'vitest';
import type { Storage } from '../../storage/storage.ts';

/** What one transaction is given to write, and reads. */
export interface TransactionWork {
  /** Values of all rows that are inserted. */
  values: number;
  /** Of the texts among them. */
  characters: number;
  /** Parameters of all statements. */
  parameters: number;
  /** Rows that come back. */
  rows: number;
  /** How often it waits for answers: statements that are run together are waited for once. */
  waits: number;
}

/** The storage, and what each transaction that is made over it does. */
export function watchTransactions(storage: Storage): { storage: Storage; transactions: TransactionWork[] } {
  const transactions: TransactionWork[] = [];
  const write: Storage['write'] = (work) =>
    storage.write((tx) => {
      const done: TransactionWork = { values: 0, characters: 0, parameters: 0, rows: 0, waits: 0 };
      transactions.push(done);
      const executor = tx.getExecutor();
      const provide = executor.provideConnection.bind(executor);
      vi.spyOn(executor, 'provideConnection').mockImplementation((consume) =>
        provide((connection) => consume(countWork(connection, done))),
      );
      vi.spyOn(tx, 'getExecutor').mockReturnValue(executor);
      return work(tx);
    });
  return { storage: { ...storage, write }, transactions };
}

function countWork(connection: DatabaseConnection, done: TransactionWork): DatabaseConnection {
  let unanswered = 0;
  return {
    executeQuery: async <Row>(query: CompiledQuery) => {
      if (unanswered === 0) done.waits += 1;
      done.parameters += query.parameters.length;
      if (query.sql.startsWith('insert')) {
        done.values += query.parameters.length;
        for (const value of query.parameters) if (typeof value === 'string') done.characters += value.length;
      }
      unanswered += 1;
      const result = await connection.executeQuery<Row>(query).finally(() => (unanswered -= 1));
      done.rows += result.rows.length;
      return result;
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}
