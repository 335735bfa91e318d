import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';
import { executeTogether } from './together.ts';

/** The most rows of one statement, so that it stays below the 30,000 parameters that every engine can bind. */
const MOST_ROWS = 512;

/** Makes the statement; whatever else may differ from time to time must be in `leading`, which it binds first. */
type Build<Row, Result> = (db: Kysely<Tables>, rows: readonly Row[], leading: readonly unknown[]) => Compilable<Result>;

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
  readonly #build: Build<Row, Result>;
  /** By engine, then by number of rows. */
  readonly #built = new WeakMap<object, Map<number, CompiledQuery<Result>>>();

  /**
   * @param columns those of a row that the statement binds
   * @param build makes the statement from rows that have just these columns
   */
  constructor(columns: readonly (keyof Row)[], build: Build<Row, Result>) {
    this.#columns = columns;
    this.#build = build;
  }

  /**
   * Runs it on the rows, in their order.
   *
   * @param leading values that each statement binds before those of the rows
   */
  async execute(db: Kysely<Tables>, rows: readonly Row[], leading: readonly unknown[] = []): Promise<Result[]> {
    const [found] = await executeTogether(db, [this.compile(db, rows, leading)]);
    return found;
  }

  /** The statements that run it on the rows, in their order; several where they are not a power of two. */
  compile(db: Kysely<Tables>, rows: readonly Row[], leading: readonly unknown[] = []): CompiledQuery<Result>[] {
    const statements: CompiledQuery<Result>[] = [];
    for (let start = 0; start < rows.length;) {
      const size = Math.min(MOST_ROWS, 2 ** (31 - Math.clz32(rows.length - start)));
      const portion = rows.slice(start, start + size);
      const parameters = [...leading];
      for (const row of portion) for (const column of this.#columns) parameters.push(row[column]);
      statements.push({ ...this.#statement(db, portion, leading), parameters });
      start += size;
    }
    return statements;
  }

  #statement(db: Kysely<Tables>, rows: readonly Row[], leading: readonly unknown[]): CompiledQuery<Result> {
    const engine = db.getExecutor().adapter;
    const built = this.#built.get(engine) ?? new Map<number, CompiledQuery<Result>>();
    this.#built.set(engine, built);
    const bound = () => rows.map((row) => this.#bound(row));
    const statement = built.get(rows.length) ?? this.#build(db, bound(), leading).compile();
    built.set(rows.length, statement);
    return statement;
  }

  /** The order of a row's columns decides in which order they are bound. */
  #bound(row: Row): Row {
    return Object.fromEntries(this.#columns.map((column) => [column, row[column]])) as Row;
  }
}
