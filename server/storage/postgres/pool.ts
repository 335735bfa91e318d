import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { FullDisk } from '../full-disk.ts';

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

/** A pool of connections that waits a bounded time for everything and drops a connection whose answer did not come. */
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
    connect: async () => new ClientInUse(await pool.connect(), answerMs, disk),
    end: () => pool.end(),
  };
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
    this.#client.release(destroy === true || this.#stuck !== undefined);
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
      const timer = setTimeout(() => {
        const message = `PostgreSQL did not answer within ${this.#answerMs} ms.`;
        this.#stuck = Object.assign(new Error(message), { code: 'ETIMEDOUT' });
        reject(this.#stuck);
      }, this.#answerMs);
      this.#client.query(sql, parameters, (error: Error | null, result) => {
        clearTimeout(timer);
        if (error === null) resolve(result as PostgresQueryResult<Row>);
        else reject(error);
      });
    });
  }
}

/** What PostgreSQL says of an error beyond its kind holds values of rows, which are nobody's business: errors are logged. */
function forgetValues(error: pg.DatabaseError): void {
  Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
  // Data exceptions end in the value: `invalid input syntax for type bigint: "…"`.
  if (error.code?.startsWith('22') === true) error.message = error.message.replace(/: ".*$/s, '');
}
