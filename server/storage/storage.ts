import type { Compilable, Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** What the stores of all capabilities stand on, whichever engine is below. */
export interface Storage {
  /** For reads. What writes goes through {@link write}, which waits its turn. */
  readonly db: Kysely<Tables>;

  /**
   * Runs `work` in one transaction that may write, and resolves once it is durable. Writing transactions see each other's
   * results: the engine serialises them or makes them fail. It waits a bounded time for those of other processes. Whatever `work` throws rolls back and is thrown on.
   */
  write<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;

  /**
   * The rows of one query in chunks of at most {@link STREAM_CHUNK_ROWS}, all from one consistent snapshot that is taken when
   * the first chunk is asked for. Holds no writer back and only one chunk in memory; ending the iteration frees the snapshot.
   */
  stream<Row>(query: (db: Kysely<Tables>) => Compilable<Row>): AsyncIterable<Row[]>;

  /** Throws when the database can't answer. */
  ping(): Promise<void>;

  close(): Promise<void>;
}

/** How many rows a streamed query hands over at a time. */
export const STREAM_CHUNK_ROWS = 500;
