import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './busy-retry.ts';
import { KEPT_WAL_BYTES, LONGEST_LOG_FRAMES } from './wal.ts';

/** How long SQLite itself waits for a lock. It holds its thread still meanwhile, so longer waits are a {@link BusyRetry}'s. */
export const BUSY_TIMEOUT_MS = 10;

/**
 * Opens a connection that may write.
 *
 * @throws Error of SQLite or the file system when the file can't be used, or only be read
 */
export function openConnection(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    setUp(database);
    requireWritable(database);
    return database;
  } catch (error) {
    // Left open, it would keep its locks.
    database.close();
    throw error;
  }
}

function setUp(database: DatabaseSync): void {
  // A commit is durable (FULL) before it is answered, and readers of a snapshot never wait for a writer (WAL).
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  // A 64 MiB cache and a long log: random ids touch a page each, which is then written once, not each time. The log is written back
  // by `Checkpoints`, and by SQLite itself, in a commit, only where those can't.
  database.exec(`pragma cache_size = -65536; pragma wal_autocheckpoint = ${LONGEST_LOG_FRAMES}`);
  // Whatever it has grown to because of a reader, the log becomes short again when it begins anew.
  database.exec(`pragma journal_size_limit = ${KEPT_WAL_BYTES}`);
  // What undoes a statement of many rows is kept in memory; in a file it would cost as much as the statement.
  database.exec('pragma temp_store = memory');
}

/**
 * Where the system refuses to open a file for writing, SQLite opens it for reading, for good. Empty transactions succeed then; so this
 * one writes what is there, and is undone.
 */
function requireWritable(database: DatabaseSync): void {
  try {
    database.exec('begin immediate');
  } catch (error) {
    if (isBusy(error)) return;
    throw error;
  }
  try {
    const version = Number(database.prepare('pragma user_version').get()?.['user_version']);
    database.exec(`pragma user_version = ${version}`);
  } finally {
    if (database.isTransaction) database.exec('rollback');
  }
}
