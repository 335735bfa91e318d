import type { DatabaseConnection } from 'kysely';
import { vi } from 'vitest';
import type { Storage } from '../../storage/storage.ts';

/** What one transaction is given to write. */
export interface TransactionWrites {
  /** Values of all rows together. */
  values: number;
  /** Of the texts among them. */
  characters: number;
}

/** The storage, and what each transaction that is made over it inserts. */
export function watchTransactions(storage: Storage): { storage: Storage; transactions: TransactionWrites[] } {
  const transactions: TransactionWrites[] = [];
  const write: Storage['write'] = (work) =>
    storage.write((tx) => {
      const writes: TransactionWrites = { values: 0, characters: 0 };
      transactions.push(writes);
      const executor = tx.getExecutor();
      const provide = executor.provideConnection.bind(executor);
      vi.spyOn(executor, 'provideConnection').mockImplementation((consume) =>
        provide((connection) => consume(countWrites(connection, writes))),
      );
      vi.spyOn(tx, 'getExecutor').mockReturnValue(executor);
      return work(tx);
    });
  return { storage: { ...storage, write }, transactions };
}

function countWrites(connection: DatabaseConnection, writes: TransactionWrites): DatabaseConnection {
  return {
    executeQuery: (query) => {
      if (query.sql.startsWith('insert')) {
        writes.values += query.parameters.length;
        for (const value of query.parameters) if (typeof value === 'string') writes.characters += value.length;
      }
      return connection.executeQuery(query);
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}
