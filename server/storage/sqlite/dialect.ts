import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { Patience } from './patience.ts';

const CACHED_STATEMENTS = 500;

/** A longer text is an insert of many rows, which hardly comes again with as many; kept, each would hold memory for nothing. */
const LONGEST_CACHED_TEXT = 4_096;

/** Kysely's SQLite dialect over Node's own SQLite. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: adapt(database) });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new WritingDriver(this.#database);
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
  readonly #patience = new Patience();

  constructor(database: DatabaseSync) {
    super({ database: adapt(database) });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#patience.until(() => connection.executeQuery(CompiledQuery.raw('begin immediate')));
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

/** Node's own SQLite as Kysely wants it; short statements are prepared once. */
export function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (sql.length > LONGEST_CACHED_TEXT) return adaptStatement(database.prepare(sql));
      if (statements.size >= CACHED_STATEMENTS) statements.clear();
      const statement = adaptStatement(database.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...sqlValues(parameters)),
    run: (parameters) => statement.run(...sqlValues(parameters)),
    iterate: (parameters) => statement.iterate(...sqlValues(parameters)),
  };
}

/** @throws TypeError for a value that SQLite has no type for; the stores hand over text, numbers, null and bytes only */
export function sqlValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`SQLite can't store a value of type ${typeof value}.`);
  });
}
