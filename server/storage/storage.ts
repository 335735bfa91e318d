import type { Compilable, Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Messages } from './messages.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Tables } from './tables.ts';

/** What the stores of all capabilities stand on, whichever engine is below. */
export interface Storage {
  /** For reads. What writes goes through {@link write}, which waits its turn. */
  readonly db: Kysely<Tables>;

  /**
   * Runs `work` in one transaction that may write, and resolves once it is durable. Each of its statements sees what was
   * committed before it began, so what is decided by what was read must be guarded by a unique index or a row's lock. It waits
   * a bounded time for other transactions, and `work` may run again where one stood in its way. Whatever `work` throws rolls
   * back and is thrown on.
   */
  write<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;

  /**
   * The rows of one query in chunks of at most {@link STREAM_CHUNK_ROWS}, all from one consistent snapshot that is taken when
   * the first chunk is asked for. Holds no writer back and only one chunk in memory; ending the iteration frees the snapshot.
   * It is meant to be read at once: a snapshot that becomes too old is ended, and the iteration throws.
   *
   * @param holder for whom it is read; of the snapshots that may be read at once, one holder can't have all
   */
  stream<Row>(query: (db: Kysely<Tables>) => Compilable<Row>, holder: string): AsyncIterable<Row[]>;

  /** Where files belong that are only needed for a while and hold what the database holds. */
  readonly scratchFolder: string;

  /** Deletes all rows of a table at once, however many there are: it takes its pages, not its rows. */
  empty(table: keyof Tables): Promise<void>;

  /** How many transactions that write are worth having at once. */
  readonly writers: number;

  /** Throws when the database can't be read, or is known to take no writes: it is read-only, or its disk was just full. */
  ping(): Promise<void>;

  /** What had to be put right when it was opened, each in a sentence for the operator. */
  readonly notices: readonly string[];

  /**
   * Resolves with what happened when this process can't use the database any more, since a file of it was removed or replaced.
   * From then on every write is refused. Never rejects; elsewhere than in files it stays pending.
   */
  readonly lost: Promise<Error>;

  /**
   * What counts requests for all servers of this database.
   *
   * @param clock left out: the time that they share
   */
  rateLimiter(clock?: Clock): RateLimiter;

  /** What the servers of this database tell each other; undefined where there can be one only. */
  readonly messages: Messages | undefined;

  close(): Promise<void>;
}

/** How many rows a streamed query hands over at a time. */
export const STREAM_CHUNK_ROWS = 500;
