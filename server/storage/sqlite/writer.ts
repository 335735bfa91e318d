import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { FairShare } from '@branchline/runtime';
import { presentHolder, presentParts } from '../holder.ts';
import type { SendsAhead } from '../together.ts';
import { Unavailable } from '../transient-errors.ts';
import { packValues, unpackRows } from './packed-values.ts';
import { sqlValues } from './statement-cache.ts';
import { OTHER_ROWS, type WriterFailure } from './writer-requests.ts';
import { type WriterResult, WriterThread } from './writer-worker.ts';

/**
 * Is told of each transaction that was committed, in the context of its `write`, how many rows it changed. No other begins before it
 * has answered, and where it fails, so does the `write`.
 */
export type Committed = (changedRows: number) => Promise<void>;

/** How long a transaction waits for those before it. */
const MOST_WAIT_MS = 30_000;

/** How long the thread may take to answer: where its disk hangs, it never does. */
const MOST_ANSWER_MS = 30_000;

/**
 * Kysely's dialect for a connection that lives in a thread of its own, so that no statement, however long, holds up the
 * thread that answers requests. The thread starts with the first transaction.
 *
 * @param options `answerMs` is how long a transaction waits for an answer of the thread; then it fails, and what it asked for may yet be
 * done, and further ones fail until the thread has answered
 */
export function writerDialect(
  file: string,
  committed: Committed,
  { answerMs = MOST_ANSWER_MS }: { answerMs?: number } = {},
): Dialect {
  return {
    createAdapter: () => new WriterAdapter(),
    createDriver: () => new WriterDriver(file, committed, answerMs),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Leaves it to the driver to give out its one connection: Kysely would do so to whoever comes first. */
class WriterAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Gives its one connection to one transaction at a time: first to the holder that has had it least among those that ask, to those of
 * one in the order in which they ask, but what holds something that others wait for takes turns with the rest.
 *
 * Every transaction takes the write lock when it begins. A transaction that began as a reader and then writes fails at once
 * (SQLITE_BUSY_SNAPSHOT) when another process has written meanwhile; one that asks for the lock first waits for it.
 */
class WriterDriver implements Driver {
  readonly #file: string;
  readonly #committed: Committed;
  readonly #answerMs: number;
  #thread: WriterThread | undefined;
  readonly #turns = new FairShare({ total: 1 });
  /** Transactions that wait or are under way. */
  readonly #open = new Set<Promise<void>>();
  readonly #release = new WeakMap<DatabaseConnection, () => void>();

  constructor(file: string, committed: Committed, answerMs: number) {
    this.#file = file;
    this.#committed = committed;
    this.#answerMs = answerMs;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open.add(promise);
    const leave = await this.#turns.take(presentHolder(), { parts: presentParts(), waitMs: MOST_WAIT_MS });
    if (leave === undefined) {
      this.#open.delete(promise);
      resolve();
      throw new Unavailable('Other writes are waiting.');
    }
    const release = () => {
      this.#open.delete(promise);
      resolve();
      leave();
    };
    try {
      // A transaction keeps the thread that it began in: after that has ended it fails, and the next one has a new thread.
      if (this.#thread === undefined || this.#thread.ended) this.#thread = new WriterThread(this.#file, this.#answerMs);
      this.#thread.requireAnswering();
    } catch (error) {
      release();
      throw error;
    }
    const connection = new WriterConnection(this.#thread);
    this.#release.set(connection, release);
    return connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof WriterConnection) connection.begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof WriterConnection) await this.#committed(await connection.commit());
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof WriterConnection) await connection.rollBack();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#release.get(connection)?.();
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#open);
    await this.#thread?.close();
  }
}

class WriterConnection implements DatabaseConnection, SendsAhead {
  readonly #thread: WriterThread;
  #commit: Promise<WriterResult> | undefined;

  constructor(thread: WriterThread) {
    this.#thread = thread;
  }

  /** Crosses with the first statement: if it fails, so does that. */
  begin(): void {
    this.#thread.askWithNext('begin').catch(() => {});
  }

  commitWithLast(): void {
    this.#commit = this.#thread.ask('commit');
    // The statement that it was not done for says why.
    this.#commit.catch(() => {});
  }

  async executeLastIf(first: readonly CompiledQuery[], rows: number, last: readonly CompiledQuery[]) {
    const answers = first.map((statement) => this.executeQuery(statement));
    const condition = this.#thread.ask({ rows });
    const others = last.map((statement) => this.executeQuery(statement));
    const commit = this.#thread.ask('commit');
    // They fail as the condition does, which says why.
    for (const other of [...others, commit]) other.catch(() => {});
    const [isLast, results] = await Promise.all([
      condition.then(
        () => true,
        (error: WriterFailure) => {
          if (error.code === OTHER_ROWS) return false;
          throw error;
        },
      ),
      Promise.all(answers),
    ]);
    if (isLast) {
      this.#commit = commit;
      await Promise.all(others);
    }
    return { results, isLast };
  }

  /** @returns how many rows the transaction changed */
  async commit(): Promise<number> {
    const { changes } = await (this.#commit ?? this.#thread.ask('commit'));
    return changes;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#commit !== undefined) throw new Error('The transaction has run its last statement.');
    const { rows, changes } = await this.#thread.ask({ sql, ...packValues(sqlValues(parameters)) });
    return { rows: (rows === undefined ? [] : unpackRows(rows)) as Row[], numAffectedRows: BigInt(changes) };
  }

  rollBack(): Promise<void> {
    return this.#thread.rollBack();
  }

  // oxlint-disable-next-line require-yield -- the interface has it; writes are never streamed
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are streamed from snapshots, not from the connection that writes.');
  }
}
