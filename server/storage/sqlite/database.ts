import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { UserError } from '../../user-error.ts';
import { FullDisk } from '../full-disk.ts';
import { migrate } from '../migrate.ts';
import { openConnection } from './connection.ts';
import { NodeSqliteDialect } from './dialect.ts';
import { checkSqlite } from './health.ts';
import { SqliteSnapshots } from './snapshot.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { TokenBuckets } from './token-buckets.ts';
import { writerDialect } from './writer.ts';

/** How the file may be found. */
export interface OpenSqliteOptions {
  /** Whether a file that is not there is made, with its folder. Defaults to true. */
  create?: boolean;
}

/**
 * Opens the embedded database and migrates it. Reads have a connection in this thread, writes one in a thread of their own, so
 * that nobody waits for a write but who asked for one.
 *
 * @throws UserError when the file can't be used, is not there and shall not be made, or belongs to a newer version
 */
export async function openSqlite(file: string, { create = true }: OpenSqliteOptions = {}): Promise<Storage> {
  if (!create && !existsSync(file)) {
    throw new UserError(
      `There is no database at ${file}. Start the server once, create a workspace, or name another file with --database.`,
    );
  }
  await prepare(file);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openFile(file)) });
  const writer = new Kysely<Tables>({ dialect: writerDialect(file) });
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
    // Without a condition SQLite drops the pages unread.
    empty: async (table) => {
      await writer.transaction().execute((tx) => tx.deleteFrom(table).execute());
    },
    writers: 1,
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

/** Migrates over a connection of its own, in this thread: there is nobody yet whom that could hold up. */
async function prepare(file: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openFile(file)) });
  try {
    // Beginning takes the lock for writing, so those who open it at once migrate it one after the other.
    await db.transaction().execute((tx) => migrate(tx, { place: file, create: true }));
  } finally {
    await db.destroy();
  }
}

function openFile(file: string): DatabaseSync {
  try {
    return openConnection(file);
  } catch (error) {
    throw new UserError(`The database file ${file} can't be opened: ${reason(error)}. Name another with --database.`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
