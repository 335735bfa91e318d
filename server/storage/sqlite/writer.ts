import { Worker } from 'node:worker_threads';
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
import { THREAD_OPTIONS } from '../../thread-options.ts';
import { startThread, type ThreadFailure } from '../../threads.ts';
import { FairShare } from '@branchline/runtime';
import { presentHolder, presentParts } from '../holder.ts';
import type { SendsAhead } from '../together.ts';
import { Unavailable } from '../transient-errors.ts';
import { UnreadableValue } from '../unreadable-value.ts';
import { packValues, unpackRows } from './packed-values.ts';
import { sqlValues } from './statement-cache.ts';
import { OTHER_ROWS, type WriterFailure, type WriterReply, type WriterRequest } from './writer-requests.ts';

/**
 * Is told of each transaction that was committed, in the context of its `write`, how many rows it changed. No other begins before it
 * has answered, and where it fails, so does the `write`.
 */
export type Committed = (changedRows: number) => Promise<void>;

/** How long a transaction waits for those before it. */
const MOST_WAIT_MS = 30_000;

/**
 * Kysely's dialect for a connection that lives in a thread of its own, so that no statement, however long, holds up the
 * thread that answers requests. The thread starts with the first transaction.
 */
export function writerDialect(file: string, committed: Committed): Dialect {
  return {
    createAdapter: () => new WriterAdapter(),
    createDriver: () => new WriterDriver(file, committed),
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
  #thread: WriterThread | undefined;
  readonly #turns = new FairShare({ total: 1 });
  /** Transactions that wait or are under way. */
  readonly #open = new Set<Promise<void>>();
  readonly #release = new WeakMap<DatabaseConnection, () => void>();

  constructor(file: string, committed: Committed) {
    this.#file = file;
    this.#committed = committed;
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
      if (this.#thread === undefined || this.#thread.ended) this.#thread = new WriterThread(this.#file);
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
  #commit: Promise<Result> | undefined;

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

  async rollBack(): Promise<void> {
    await this.#thread.ask('rollback');
  }

  // oxlint-disable-next-line require-yield -- the interface has it; writes are never streamed
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are streamed from snapshots, not from the connection that writes.');
  }
}

type Result = Extract<WriterReply, { result: unknown }>['result'];

class WriterThread {
  readonly #worker: Worker;
  readonly #asked: PromiseWithResolvers<Result>[] = [];
  /** What was asked just now and is sent as one message. */
  #unsent: WriterRequest[] = [];
  #isToSend = false;
  #ended: Error | undefined;

  constructor(file: string) {
    this.#worker = startThread<readonly WriterReply[]>({
      what: 'that writes',
      make: () => new Worker(new URL('./writer-thread.ts', import.meta.url), { ...THREAD_OPTIONS, workerData: file }),
      answered: (replies) => this.#settle(replies),
      ended: (failure) => this.#end(failure),
    });
    // It keeps the process running only while an answer is awaited.
    this.#worker.unref();
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  ask(request: WriterRequest): Promise<Result> {
    const answer = this.askWithNext(request);
    if (!this.#isToSend) queueMicrotask(() => this.#send());
    this.#isToSend = true;
    return answer;
  }

  /** As {@link ask}; it is sent with what is asked next. */
  askWithNext(request: WriterRequest): Promise<Result> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const answer = Promise.withResolvers<Result>();
    if (this.#asked.push(answer) === 1) this.#worker.ref();
    this.#unsent.push(request);
    return answer.promise;
  }

  async close(): Promise<void> {
    if (this.ended) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#worker.once('exit', () => resolve());
    this.#worker.ref();
    this.#unsent.push('close');
    this.#send();
    await promise;
  }

  #send(): void {
    this.#worker.postMessage(this.#unsent);
    this.#unsent = [];
    this.#isToSend = false;
  }

  #settle(replies: readonly WriterReply[]): void {
    for (const [index, answer] of this.#asked.splice(0, replies.length).entries()) {
      const reply = replies[index];
      if (reply === undefined) continue;
      if ('result' in reply) answer.resolve(reply.result);
      else answer.reject(toError(reply.error));
    }
    if (this.#asked.length === 0) this.#worker.unref();
  }

  #end(failure: ThreadFailure): void {
    const { cause } = failure;
    // Where the thread could not open the file, what that means is told by what SQLite says.
    this.#ended = cause instanceof Error && 'errcode' in cause ? cause : failure;
    for (const answer of this.#asked.splice(0)) answer.reject(this.#ended);
  }
}

function toError({ unreadable, ...failure }: WriterFailure): Error {
  if (unreadable !== undefined) return new UnreadableValue(unreadable);
  return Object.assign(new Error(failure.message), failure);
}
