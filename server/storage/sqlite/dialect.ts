import type { DatabaseSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { BusyRetry } from './busy-retry.ts';
import { sqlValues, StatementCache } from './statement-cache.ts';

type Failed = (error: unknown) => void;

/** Kysely's SQLite dialect over Node's own SQLite, in the thread that uses it. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync;
  readonly #failed: Failed;

  /** @param failed is told each error of a statement */
  constructor(database: DatabaseSync, failed: Failed = () => {}) {
    super({ database: adapt(database, failed) });
    this.#database = database;
    this.#failed = failed;
  }

  override createDriver(): Driver {
    return new WritingDriver(this.#database, this.#failed);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

/**
 * Every transaction takes the write lock when it begins. A transaction that began as a reader and then writes fails at once
 * (SQLITE_BUSY_SNAPSHOT) when another process has written meanwhile; one that asks for the lock first waits for it.
 */
class WritingDriver extends SqliteDriver {
  readonly #database: DatabaseSync;
  readonly #busyRetry = new BusyRetry();

  constructor(database: DatabaseSync, failed: Failed) {
    super({ database: adapt(database, failed) });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#busyRetry.run(() => connection.executeQuery(CompiledQuery.raw('begin immediate')));
  }

  /** A full disk and its like make SQLite roll back by itself; to do so again would fail and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQLite rolls DDL back like anything else, so a migration that fails or is killed leaves nothing half done. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Node's own SQLite as Kysely wants it. */
function adapt(database: DatabaseSync, failed: Failed): SqliteDatabase {
  const cache = new StatementCache(database);
  const telling = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const { statement, givesRows, all } = telling(() => cache.prepare(sql));
      return {
        reader: givesRows,
        all: (parameters) => telling(() => all(sqlValues(parameters))),
        run: (parameters) => telling(() => statement.run(...sqlValues(parameters))),
        iterate: (parameters) => statement.iterate(...sqlValues(parameters)),
      };
    },
  };
}
