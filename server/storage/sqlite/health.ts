import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '@branchline/command-line';
import { sqliteCode } from '../../error-code.ts';
import { workFor } from '../holder.ts';
import type { Storage } from '../storage.ts';
import { describeFileFailure } from '../file-failure.ts';
import { readEachTable } from '../table-reads.ts';
import { DatabaseUnavailable, isUnavailable } from '../transient-errors.ts';
import { BUSY_ADVICE, isBusy } from './busy-retry.ts';
import type { Checkpoints } from './checkpoints.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import type { DatabaseFiles } from './database-files.ts';
import type { KnownDamage } from './known-damage.ts';
import { isReadOnly, READ_ONLY_ADVICE } from './permissions.ts';
import { cannotGrow, type RoomToGrow, tryToGrow } from './room-to-grow.ts';

/** How long a check waits for its turn to write; a writer that is busy for longer is no fault, as long as it ends something. */
const TURN_MS = 1_000;

/** A writer that has ended nothing for so long is one that fails. */
const MOST_STILL_MS = 5_000;

/** How often it is tried at most whether a file that could not grow can again. */
const TRY_EVERY_MS = 1_000;

/** No workspace: it takes turns with them. */
const HOLDER = '#readiness';

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export interface SqliteHealthOptions {
  file: string;
  files: DatabaseFiles;
  known: KnownDamage;
  db: Storage['db'];
  write: Storage['write'];
  /** Watches that same `write`. */
  room: RoomToGrow;
  checkpoints: Pick<Checkpoints, 'check' | 'checkRoom'>;
  /** When a transaction was last committed, by the clock `now`. */
  committedAt: () => number;
  /** Milliseconds of any monotonic clock. */
  now: () => number;
}

/** Whether an embedded database can be read and written. */
export class SqliteHealth {
  readonly #options: SqliteHealthOptions;
  readonly #readEachTable: string;
  #writing: Promise<void> | undefined;
  #failure: unknown;
  readonly #now: () => number;
  #askedAt = 0;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SqliteHealthOptions) {
    this.#options = options;
    this.#now = options.now;
    this.#readEachTable = readEachTable([]).compile(options.db).sql;
  }

  /** @throws Error that says what is wrong */
  async check(): Promise<void> {
    this.#options.files.check();
    this.#options.known.check();
    this.#options.checkpoints.checkRoom();
    this.#options.checkpoints.check();
    await this.#requireWritable();
    // As root, SQLite sets the owner of a log that it opens: on a disk that hangs this thread would wait for that, and all answers with it.
    if (this.#writing === undefined) this.#readAfresh();
  }

  /** Pages that the open connections have in memory would hide what has become of the file, so this is a new connection. */
  #readAfresh(): void {
    const { file } = this.#options;
    try {
      const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
      try {
        database.prepare(this.#readEachTable).get();
      } finally {
        database.close();
      }
    } catch (error) {
      throw damage(error, file) ?? error;
    }
  }

  /** A transaction waits for its turn as any other does. What became of one that is still waiting is told next time. */
  async #requireWritable(): Promise<void> {
    if (this.#isDue() && this.#writing === undefined) {
      this.#askedAt = this.#now();
      this.#writing = workFor(HOLDER, () => this.#write());
    }
    await Promise.race([this.#writing, delay(TURN_MS, undefined, { ref: false })]);
    this.#requireProgress();
    if (this.#failure !== undefined) throw this.#failure;
    const { shortage } = this.#options.room;
    if (shortage !== undefined) throw describeShortage(shortage);
  }

  #requireProgress(): void {
    if (this.#writing === undefined) return;
    const since = Math.max(this.#askedAt, this.#options.committedAt());
    if (this.#now() - since <= MOST_STILL_MS) return;
    throw new DatabaseUnavailable('No write has ended for 5 seconds: the disk of the database hangs, or is very slow.');
  }

  #isDue(): boolean {
    return this.#options.room.shortage === undefined || this.#now() - this.#triedAt >= TRY_EVERY_MS;
  }

  /** An empty transaction is enough where the files can grow. */
  async #write(): Promise<void> {
    const { file, room, write } = this.#options;
    try {
      if (room.shortage === undefined) await write(async () => {});
      else {
        this.#triedAt = this.#now();
        await write(tryToGrow);
      }
      this.#failure = undefined;
    } catch (error) {
      this.#failure = cannotGrow(error) ? undefined : (damage(error, file) ?? unwritable(error, file) ?? error);
    } finally {
      this.#writing = undefined;
    }
  }
}

function describeShortage(shortage: Error): DatabaseUnavailable {
  return new DatabaseUnavailable(
    `The database can't grow: its disk is full, or fails, or a quota or a limit on the size of files is met (${shortage.message}).`,
    { cause: shortage },
  );
}

function unwritable(error: unknown, file: string): DatabaseUnavailable | undefined {
  if (!(error instanceof Error) || !isReadOnly(error)) return undefined;
  return new DatabaseUnavailable(`The database file ${file} can't be written (${error.message}). ${READ_ONLY_ADVICE}`, {
    cause: error,
  });
}

/**
 * Runs work on a database.
 *
 * @throws DatabaseUnavailable with a sentence about a database that fails; UserError with one about a file that can't be used
 */
export async function explainFailure<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw damage(error, file) ?? outage(error) ?? describeFileFailure(error) ?? error;
  }
}

/** The sentence for a database that can't be used now; undefined for an error that has one, and for any other. */
function outage(error: unknown): DatabaseUnavailable | undefined {
  if (!(error instanceof Error) || error instanceof UserError || !isUnavailable(error)) return undefined;
  const advice = isBusy(error) ? BUSY_ADVICE : 'Mend that, and try again.';
  return new DatabaseUnavailable(`The database failed: ${error.message}. ${advice}`, { cause: error });
}

/** The sentence for a file that SQLite finds damaged; undefined for any other error. */
export function damage(error: unknown, file: string): DatabaseUnavailable | undefined {
  const code = sqliteCode(error);
  if (!(error instanceof Error) || (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB)) return undefined;
  // SQLite says so also where the disk fails to read.
  const advice =
    'Where its disk failed to read it for a moment, that heals by itself. Else stop the server, let `pragma integrity_check` read the file, and unless that says ok, restore it from your backup.';
  return new DatabaseUnavailable(`The database file ${file} is damaged (${error.message}). ${advice}`, {
    cause: error,
  });
}
