import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The most rows of one statement, so that it stays below the 30,000 parameters that every engine can bind. */
const MOST_ROWS = 512;

/**
 * A statement on any number of rows. To build one for hundreds of rows takes longer than to run it, so it is built once for
 * each power of two and from then on only given other values.
 *
 * @example
 * const addTags = new ManyRows(['workspace_id', 'tag'], (db, rows: readonly TagRow[]) => db.insertInto('tags').values(rows));
 * await addTags.execute(tx, tags);
 */
export class ManyRows<Row extends object, Result = unknown> {
  readonly #columns: readonly (keyof Row)[];
  readonly #build: (db: Kysely<Tables>, rows: readonly Row[]) => Compilable<Result>;
  /** By engine, then by number of rows. */
  readonly #built = new WeakMap<object, Map<number, CompiledQuery<Result>>>();

  /**
   * @param columns those of a row that the statement binds
   * @param build makes the statement from rows that have just these columns; nothing else may differ from time to time
   */
  constructor(
    columns: readonly (keyof Row)[],
    build: (db: Kysely<Tables>, rows: readonly Row[]) => Compilable<Result>,
  ) {
    this.#columns = columns;
    this.#build = build;
  }

  /** Runs it on the rows, in their order; several statements where they are not a power of two. */
  async execute(db: Kysely<Tables>, rows: readonly Row[]): Promise<Result[]> {
    const results: Result[][] = [];
    for (let start = 0; start < rows.length;) {
      const size = Math.min(MOST_ROWS, 2 ** (31 - Math.clz32(rows.length - start)));
      const portion = rows.slice(start, start + size);
      const parameters = portion.flatMap((row) => this.#columns.map((column) => row[column]));
      const statement: CompiledQuery<Result> = { ...this.#statement(db, portion), parameters };
      const result = await db.executeQuery<Result>(statement);
      results.push(result.rows);
      start += size;
    }
    return results.flat();
  }

  #statement(db: Kysely<Tables>, rows: readonly Row[]): CompiledQuery<Result> {
    const engine = db.getExecutor().adapter;
    const built = this.#built.get(engine) ?? new Map<number, CompiledQuery<Result>>();
    this.#built.set(engine, built);
    const statement =
      built.get(rows.length) ??
      this.#build(
        db,
        rows.map((row) => this.#bound(row)),
      ).compile();
    built.set(rows.length, statement);
    return statement;
  }

  /** The order of a row's columns decides in which order they are bound. */
  #bound(row: Row): Row {
    return Object.fromEntries(this.#columns.map((column) => [column, row[column]])) as Row;
  }
}
