import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { GiveBack } from '@branchline/runtime';
import type { FullDisk } from './full-disk.ts';
import { DatabaseUnavailable, Unavailable } from '../transient-errors.ts';
import { isStoredNumber, UnreadableValue } from '../unreadable-value.ts';
import { cancelStatement, rawStream } from './cancel.ts';
import { ConnectionPlaces } from './connection-places.ts';
import { GuardedClient } from './guarded-client.ts';
import { type HeldCommits, type Notice, tellsOfCancelledWait } from './held-commits.ts';
import { hideUrl } from './hide-url.ts';
import { connectWithFew } from './scarce-connections.ts';

export interface PoolOptions {
  /** Where, and as whom: a secret. */
  url: string;
  /** The most connections. */
  size: number;
  /** How long a free or new connection is waited for; in milliseconds. */
  connectMs: number;
  /** How long an answer is waited for; in milliseconds. */
  answerMs: number;
  /** How long the server may take to end a statement that it was asked to end, before the connection is closed; in milliseconds. */
  cancelMs: number;
  /** Whether holders share the connections: whoever has many requests leaves some to others. Left out: whoever comes first has them. */
  shared?: boolean;
  /** Is told of every failure. */
  disk: FullDisk;
  /** Is told of each commit that is not answered in time, or did not wait for a standby. */
  commits: HeldCommits;
}

/** How long the server may take to see that connections are closed, before they are simply dropped. */
const END_MS = 2_000;

/** A connection that nobody has used for so long is closed. */
export const CLOSED_IDLE_MS = 10_000;

/** How often a statement is cancelled that may have waited in a proxy before. */
const CANCELS_BEHIND_PROXY = 3;

/**
 * What statements fail with where their connection was made while a setting of the database or the role was wrong: transactions that are
 * read-only or serializable, another schema, missing rights, too little time. The connection keeps it after it was put back.
 */
const OF_SETTINGS = /^(25006|3F000|40001|42|55P03|57014)/;

/** A younger connection is kept after such a failure, so that each is made anew once a second at most while the setting is wrong. */
const SETTLED_MS = 1_000;

/**
 * A pool of connections that waits a bounded time for everything. A statement whose answer did not come is ended on the server
 * too, before its connection is used again or closed, so that there are never more than `size` at work for us.
 */
export function openPool({
  url,
  size,
  connectMs,
  answerMs,
  cancelMs,
  shared = false,
  disk,
  commits,
}: PoolOptions): PostgresPool {
  const pool = new pg.Pool({
    Client: GuardedClient,
    connectionString: url,
    application_name: 'branchline',
    max: size,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: CLOSED_IDLE_MS,
    keepAlive: true,
    // What is asked at the same moment takes one round trip.
    pipeline: true,
    types: { getTypeParser: chooseParser },
  });
  // A connection that breaks says so to whoever uses it. One that nobody uses is replaced when it is needed.
  pool.on('error', () => {});
  /** When each connection was made. */
  const clients = new Map<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    client.once('end', () => clients.delete(client));
    clients.set(client, performance.now());
  });
  const places = shared ? new ConnectionPlaces(size) : undefined;
  return {
    options: pool.options,
    connect: async () => {
      const leave = places === undefined ? () => {} : await places.take(connectMs);
      // That is no failure of the database: those who have the connections meet one, if there is any.
      if (leave === undefined) throw new Unavailable('All connections to PostgreSQL are in use.');
      try {
        const client = await connect(pool, { url, size, connectMs });
        return new ClientInUse(client, {
          madeAt: clients.get(client) ?? 0,
          answerMs,
          cancelMs,
          disk,
          commits,
          leave,
        });
      } catch (error) {
        leave();
        throw error;
      }
    },
    end: () => end(pool, [...clients.keys()]),
  };
}

/** A server that stands still does not close connections, either. */
function end(pool: pg.Pool, clients: readonly pg.PoolClient[]): Promise<void> {
  const ended = clients.map((client) => new Promise((resolve) => client.once('end', resolve)));
  return new Promise((resolve, reject) => {
    const bound = setTimeout(() => {
      for (const client of clients) rawStream(client).destroy();
      resolve();
    }, END_MS);
    Promise.all([pool.end(), ...ended])
      .finally(() => clearTimeout(bound))
      .then(() => resolve(), reject);
  });
}

/** Whatever it is that keeps a connection from being made, a certificate or the number of them, is no fault of a request. */
async function connect(
  pool: pg.Pool,
  { url, ...waits }: Pick<PoolOptions, 'url' | 'size' | 'connectMs'>,
): Promise<pg.PoolClient> {
  try {
    return await connectWithFew(pool, waits);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : String(error);
    const said = `There is no connection to PostgreSQL: ${hideUrl(reason, url)}`;
    throw new DatabaseUnavailable(said);
  }
}

const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC, pg.types.builtins.FLOAT8]);

/** Sums of whole numbers are numeric. */
function chooseParser(type: number, format?: 'text' | 'binary') {
  return NUMBERS.has(type) ? parseNumber : pg.types.getTypeParser(type, format);
}

/** @throws UnreadableValue for one that no server stores */
function parseNumber(text: string): number {
  const value = Number(text);
  if (!isStoredNumber(value)) throw new UnreadableValue('a column of numbers');
  return value;
}

interface UseOptions extends Pick<PoolOptions, 'answerMs' | 'cancelMs' | 'disk' | 'commits'> {
  leave: GiveBack;
  /** By `performance.now()`. */
  madeAt: number;
}

/** A connection from when it is taken out of the pool to when it is given back. */
class ClientInUse implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #answerMs: number;
  readonly #cancelMs: number;
  readonly #disk: FullDisk;
  readonly #commits: HeldCommits;
  readonly #leave: GiveBack;
  readonly #madeAt: number;
  /** It can't be used for anything else. */
  #isSpent = false;
  #stuck: Error | undefined;
  /** After a statement that was given up: resolves with whether the connection can be used again. */
  #ending: Promise<boolean> | undefined;
  /** Whether what is answered next has not waited for a standby. */
  #isUnreplicated = false;
  /** Resolves when all that was asked until now is answered. */
  #answered: Promise<void> = Promise.resolve();

  constructor(client: pg.PoolClient, { answerMs, cancelMs, disk, commits, leave, madeAt }: UseOptions) {
    this.#client = client;
    this.#answerMs = answerMs;
    this.#cancelMs = cancelMs;
    this.#disk = disk;
    this.#commits = commits;
    this.#leave = leave;
    this.#madeAt = madeAt;
    client.on('notice', this.#readNotice);
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
    if (this.#ending === undefined) this.#giveBack(destroy === true);
    else void this.#ending.then((usable) => this.#giveBack(destroy === true || !usable));
  }

  readonly #readNotice = (notice: Notice): void => {
    this.#isUnreplicated ||= tellsOfCancelledWait(notice);
  };

  #giveBack(destroy: boolean): void {
    this.#client.off('notice', this.#readNotice);
    this.#client.release(destroy || this.#isSpent);
    this.#leave();
  }

  /** After an answer that did not come nothing more is asked: it would only wait behind. */
  async #query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (this.#stuck !== undefined) throw this.#stuck;
    try {
      return await this.#answer<Row>(sql, [...parameters]);
    } catch (error) {
      this.#disk.learnFrom(error);
      if (error instanceof pg.DatabaseError) {
        this.#isSpent ||= OF_SETTINGS.test(error.code ?? '') && performance.now() - this.#madeAt > SETTLED_MS;
        forgetValues(error);
      }
      throw error;
    }
  }

  /**
   * By callback and with a timer of our own: with the client's, a query holds on to the one before, and so to its rows, and
   * nothing of a long export is free until the garbage of all memory is collected. Its time begins when what was asked before is
   * answered.
   */
  #answer<Row>(sql: string, parameters: unknown[]): Promise<PostgresQueryResult<Row>> {
    const before = this.#answered;
    const answered = Promise.withResolvers<void>();
    this.#answered = answered.promise;
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      let timer: NodeJS.Timeout | undefined;
      const giveUp = (): void => {
        if (isAnswered) return;
        if (sql === 'commit') this.#commits.note();
        this.#stuck = new DatabaseUnavailable(`PostgreSQL did not answer within ${this.#answerMs} ms.`);
        this.#ending = this.#end(answered.promise);
        reject(this.#stuck);
      };
      void before.then(() => {
        // What has come while this process stood still is read before it is looked whether anything has.
        if (!isAnswered) timer = setTimeout(() => setImmediate(giveUp), this.#answerMs);
      });
      this.#client.query(sql, parameters, (error: Error | null, result) => {
        isAnswered = true;
        clearTimeout(timer);
        answered.resolve();
        const problem = error ?? this.#findUnreplicated();
        if (problem === undefined) resolve(result as PostgresQueryResult<Row>);
        else reject(problem);
      });
    });
  }

  /** Of what is answered just now. */
  #findUnreplicated(): DatabaseUnavailable | undefined {
    if (!this.#isUnreplicated) return undefined;
    this.#isUnreplicated = false;
    this.#commits.note();
    return new DatabaseUnavailable('Somebody had PostgreSQL commit without its synchronous standby.');
  }

  /** The connection is free again once both are there: the late answer, and the end of what might still cancel a later statement. */
  async #end(answer: Promise<void>): Promise<boolean> {
    const both = Promise.all([answer, cancelStatement(this.#client, this.#cancelMs)]).then(() => true);
    if (await Promise.race([both, delay(this.#cancelMs, false)])) return true;
    // A pooling proxy can't cancel what still waits in it for a connection to the server, and may find one at any moment.
    for (let tries = 0; tries < CANCELS_BEHIND_PROXY; tries += 1) {
      await cancelStatement(this.#client, this.#cancelMs);
      if (await Promise.race([both, delay(this.#cancelMs / 5, false)])) break;
    }
    return false;
  }
}

/** What PostgreSQL says of an error beyond its kind holds values of rows, which are nobody's business: errors are logged. */
function forgetValues(error: pg.DatabaseError): void {
  Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
  // Data exceptions end in the value: `invalid input syntax for type bigint: "…"`.
  if (error.code?.startsWith('22') === true) error.message = error.message.replace(/: ".*$/s, '');
}
