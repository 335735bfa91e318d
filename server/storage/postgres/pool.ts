import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { FullDisk } from '../full-disk.ts';
import { DatabaseUnavailable } from '../unavailable.ts';
import { cancelStatement } from './cancel.ts';

export interface PoolOptions {
  /** Where, and as whom: a secret. */
  url: string;
  /** The most connections. */
  size: number;
  /** How long a free or new connection is waited for; in milliseconds. */
  connectMs: number;
  /** How long an answer is waited for; in milliseconds. */
  answerMs: number;
  /** Is told of every failure. */
  disk: FullDisk;
}

/** How long the server may take to end a statement that it was asked to end, before the connection is closed. */
const CANCEL_MS = 1_000;

/**
 * A pool of connections that waits a bounded time for everything. A statement whose answer did not come is ended on the server
 * too, before its connection is used again or closed, so that there are never more than `size` at work for us.
 */
export function openPool({ url, size, connectMs, answerMs, disk }: PoolOptions): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'branchline',
    max: size,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  });
  // A connection that breaks says so to whoever uses it. One that nobody uses is replaced when it is needed.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    connect: async () => new ClientInUse(await connect(pool), answerMs, disk),
    end: () => pool.end(),
  };
}

/** Whatever it is that keeps a connection from being made, a certificate or the number of them, is no fault of a request. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : String(error);
    throw new DatabaseUnavailable(`There is no connection to PostgreSQL: ${reason}`, { cause: error });
  }
}

const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Counts and times are well below 2⁵³; sums of whole numbers are numeric. */
function parserOf(type: number, format?: 'text' | 'binary') {
  return NUMBERS.has(type) ? Number : pg.types.getTypeParser(type, format);
}

/** A connection from when it is taken out of the pool to when it is given back. */
class ClientInUse implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #answerMs: number;
  readonly #disk: FullDisk;
  #stuck: Error | undefined;
  /** After a statement that was given up: resolves with whether the connection can be used again. */
  #ending: Promise<boolean> | undefined;

  constructor(client: pg.PoolClient, answerMs: number, disk: FullDisk) {
    this.#client = client;
    this.#answerMs = answerMs;
    this.#disk = disk;
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    sql: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof sql !== 'string') throw new TypeError('Rows are streamed through cursors of SQL.');
    return this.#query<Row>(sql, parameters);
  }

  release(destroy?: boolean): void {
    if (this.#ending === undefined) this.#client.release(destroy);
    else void this.#ending.then((usable) => this.#client.release(destroy === true || !usable));
  }

  /** After an answer that did not come nothing more is asked: it would only wait behind. */
  async #query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (this.#stuck !== undefined) throw this.#stuck;
    try {
      return await this.#answer<Row>(sql, [...parameters]);
    } catch (error) {
      this.#disk.learnFrom(error);
      if (error instanceof pg.DatabaseError) forgetValues(error);
      throw error;
    }
  }

  /**
   * By callback and with a timer of our own: with the client's, a query holds on to the one before, and so to its rows, and
   * nothing of a long export is free until the garbage of all memory is collected.
   */
  #answer<Row>(sql: string, parameters: unknown[]): Promise<PostgresQueryResult<Row>> {
    return new Promise((resolve, reject) => {
      let answered: (() => void) | undefined;
      const timer = setTimeout(() => {
        this.#stuck = new DatabaseUnavailable(`PostgreSQL did not answer within ${this.#answerMs} ms.`);
        this.#ending = this.#end(new Promise((answer) => (answered = answer)));
        reject(this.#stuck);
      }, this.#answerMs);
      this.#client.query(sql, parameters, (error: Error | null, result) => {
        clearTimeout(timer);
        answered?.();
        if (error === null) resolve(result as PostgresQueryResult<Row>);
        else reject(error);
      });
    });
  }

  /** The connection is free again once both are there: the late answer, and the end of what might still cancel a later statement. */
  async #end(answer: Promise<void>): Promise<boolean> {
    const both = Promise.all([answer, cancelStatement(this.#client, CANCEL_MS)]).then(() => true);
    if (await Promise.race([both, delay(CANCEL_MS, false)])) return true;
    // A pooling proxy can't cancel what still waits in it for a connection to the server; meanwhile it may have got one.
    await cancelStatement(this.#client, CANCEL_MS);
    return false;
  }
}

/** What PostgreSQL says of an error beyond its kind holds values of rows, which are nobody's business: errors are logged. */
function forgetValues(error: pg.DatabaseError): void {
  Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
  // Data exceptions end in the value: `invalid input syntax for type bigint: "…"`.
  if (error.code?.startsWith('22') === true) error.message = error.message.replace(/: ".*$/s, '');
}
