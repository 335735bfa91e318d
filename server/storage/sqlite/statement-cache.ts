import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { StoredValues } from './stored-values.ts';

/** How many characters of SQL are kept prepared; those that were not used for longest are dropped first. */
const KEPT_CHARACTERS = 4 * 1024 * 1024;

/** A prepared statement, and whether it gives rows. */
export interface PreparedStatement {
  statement: StatementSync;
  givesRows: boolean;
  /** @throws UnreadableValue */
  all: (parameters: readonly SQLInputValue[]) => Record<string, SQLOutputValue>[];
}

/** Prepares each text once for a connection, as long as it is in use: to prepare a statement often costs more than to run it. */
export class StatementCache {
  readonly #database: DatabaseSync;
  readonly #prepared = new LRUCache<string, PreparedStatement>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, sql) => sql.length + 1,
  });

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  prepare(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const columns = statement.columns();
    const stored = new StoredValues(columns);
    const prepared: PreparedStatement = {
      statement,
      givesRows: columns.length > 0,
      all: (parameters) => {
        const rows = stored.read(() => statement.all(...parameters));
        for (const row of rows) stored.check(row);
        return rows;
      },
    };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
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
