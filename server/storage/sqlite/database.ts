import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { UserError } from '../../user-error.ts';
import { FullDisk } from '../full-disk.ts';
import { migrate } from '../migrate.ts';
import { NodeSqliteDialect } from './dialect.ts';
import { checkSqlite } from './health.ts';
import { BUSY_TIMEOUT_MS, SqliteSnapshots } from './snapshot.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { TokenBuckets } from './token-buckets.ts';
import { KEPT_WAL_BYTES } from './wal.ts';

/** How the file may be found. */
export interface OpenSqliteOptions {
  /** Whether a file that is not there is made, with its folder. Defaults to true. */
  create?: boolean;
}

/**
 * Opens the embedded database and migrates it. Reads have a connection of their own, so that they never wait for a write
 * that waits for another process.
 *
 * @throws UserError when the file can't be used, is not there and shall not be made, or belongs to a newer version
 */
export async function openSqlite(file: string, { create = true }: OpenSqliteOptions = {}): Promise<Storage> {
  if (!create && !existsSync(file)) {
    throw new UserError(
      `There is no database at ${file}. Start the server once, create a workspace, or name another file with --database.`,
    );
  }
  const writer = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openFile(file)) });
  try {
    // Beginning takes the lock for writing, so those who open it at once migrate it one after the other.
    await writer.transaction().execute((tx) => migrate(tx, { place: file, create: true }));
  } catch (error) {
    await writer.destroy();
    throw error;
  }
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openFile(file)) });
  const disk = new FullDisk();
  const snapshots = new SqliteSnapshots(file);
  return {
    db,
    write: async (work) => {
      try {
        return await writer.transaction().execute(work);
      } catch (error) {
        disk.learnFrom(error);
        throw error;
      }
    },
    stream: (query, holder) => snapshots.stream(holder, query(db)),
    scratchFolder: dirname(file),
    rateLimiter: (clock = Date.now) => new TokenBuckets(clock),
    ping: async () => {
      disk.check();
      await checkSqlite(db);
    },
    close: async () => {
      await db.destroy();
      await writer.destroy();
    },
  };
}

function openFile(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // E-mails are in it, so it is for its owner; SQLite gives the files beside it the same mode.
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // A commit is durable (FULL) before it is answered, and readers of a snapshot never wait for a writer (WAL).
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
    // A 64 MiB cache and a checkpoint every 64 MiB: random ids touch a page each, which is then written once, not each time.
    database.exec('pragma cache_size = -65536; pragma wal_autocheckpoint = 16000');
    // Whatever it has grown to because of a reader, the log becomes short again when it begins anew.
    database.exec(`pragma journal_size_limit = ${KEPT_WAL_BYTES}`);
    // What undoes a statement of many rows is kept in memory; in a file it would cost as much as the statement.
    database.exec('pragma temp_store = memory');
    return database;
  } catch (error) {
    throw new UserError(`The database file ${file} can't be opened: ${reason(error)}. Name another with --database.`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
