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
import { patiently } from './patience.ts';

const CACHED_STATEMENTS = 500;

/** Kysely's SQLite dialect over Node's own SQLite. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: DatabaseSync) {
    const adapted = adapt(database);
    super({ database: adapted });
    this.#database = adapted;
  }

  override createDriver(): Driver {
    return new WritingDriver({ database: this.#database });
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
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await patiently(() => connection.executeQuery(CompiledQuery.raw('begin immediate')));
  }
}

/** SQLite rolls DDL back like anything else, so a migration that fails or is killed leaves nothing half done. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
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
