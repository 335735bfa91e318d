import type { Compilable, Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { DatabaseLives } from './database-lives.ts';
import type { Messages } from './messages.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Tables, WorkspaceTable } from './tables.ts';

/** The storage interface of all capabilities, independent of the engine. */
export interface Storage {
  /** For reads. Writes go through {@link write}, which waits its turn. */
  readonly db: Kysely<Tables>;

  /**
   * Runs `work` in one write transaction, and resolves once it is durable. Each of its statements sees what was
   * committed before it began, so decisions based on reads must be guarded by a unique index or a row lock. It waits
   * a bounded time for other transactions, and `work` may run again after a conflict. Errors of `work` roll
   * back and are rethrown.
   */
  write<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;

  /**
   * Streams the rows of one query in chunks of at most {@link STREAM_CHUNK_ROWS}, all from one consistent snapshot taken when
   * the first chunk is requested. Blocks no writer and holds only one chunk in memory; ending the iteration frees the snapshot.
   * Read it without pauses: a snapshot that becomes too old is ended, and the iteration throws.
   *
   * @param holder the holder of the work, so that no holder can take all concurrent snapshots
   */
  stream<Row>(query: (db: Kysely<Tables>) => Compilable<Row>, holder: string): AsyncIterable<Row[]>;

  /** The disk for temporary files with data of the database. */
  readonly scratchDisk: ScratchDisk;

  /**
   * Deletes all rows of a table that are there when it begins; others may be added meanwhile, and may stay. Each turn of the iterator
   * is one short transaction.
   */
  empty(table: WorkspaceTable): AsyncIterable<void>;

  /**
   * Waited for by who has much to write, after each transaction: longer where what it writes would break off exports of others. Left out:
   * no such wait is of use.
   */
  readonly restAfterWrite?: (holder: string) => Promise<void>;

  /** The useful number of write transactions that are under way, or wait for others of the process, at a time. */
  readonly writers: number;

  /** Throws if the database can't be read, or is known to accept no writes: it is read-only, or has no room to grow. */
  ping(): Promise<void>;

  /** What the operator should know since it was opened, such as repairs and risks, each as a sentence. */
  readonly notices: readonly string[];

  /**
   * Resolves with the reason when this process can't use the database any more, since one of its files was removed or replaced, or
   * a newer version has migrated it. From then on, every write is refused. Never rejects.
   */
  readonly lost: Promise<Error>;

  /**
   * Creates the rate limiter for all servers of this database.
   *
   * @param clock left out: the servers' shared time
   */
  rateLimiter(clock?: Clock): RateLimiter;

  /** Whatever a process remembers of the database is tied to these. */
  readonly lives: DatabaseLives;

  /** Messages between the servers of this database; undefined if there can be only one. */
  readonly messages: Messages | undefined;

  close(): Promise<void>;

  /** Closes it, and takes away the files that were made for it, where nobody else uses it and no workspace is in it. */
  undo(): Promise<void>;
}

/** The number of rows per chunk of a streamed query. */
export const STREAM_CHUNK_ROWS = 500;

/** Where temporary files lie. It may be the database's own disk, and then they give way to the database. */
export interface ScratchDisk {
  readonly folder: string;
  /** How much of the free space is the database's, in bytes: a file is begun only where that much is left. */
  readonly reserveBytes: number;
  /** Takes what frees that space when the database can't grow; it resolves with whether there was anything to free. */
  whenShort(giveWay: () => Promise<boolean>): void;
}
