import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import { migrate } from '../migrate.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { WANTED_READS } from '../wanted-reads.ts';
import { openConnection } from './connection.ts';
import { DatabaseLives } from '../database-lives.ts';
import { DatabaseFiles, type Repeat } from './database-files.ts';
import { NodeSqliteDialect } from './dialect.ts';
import { emptyTable } from './empty-table.ts';
import { describeExposedFiles } from './exposed-files.ts';
import { damage, SqliteHealth } from './health.ts';
import { makeDatabaseFile } from './made-database.ts';
import { requireRegularFiles } from './regular-files.ts';
import { RoomToGrow } from './room-to-grow.ts';
import { putLogBack } from './set-aside-log.ts';
import { SqliteSnapshots } from './snapshot.ts';
import { type BucketMemory, TokenBuckets } from './token-buckets.ts';
import { KnownDamage } from './known-damage.ts';
import { LONGEST_WAL_BYTES } from './wal.ts';
import { writerDialect } from './writer.ts';

/** How the file may be found. */
/** How many transactions are begun at once of what is committed in groups. */
const MOST_BEGUN = 64;

export interface OpenSqliteOptions {
  /** Whether a file that is not there is made, with its folder. Defaults to true. */
  create?: boolean;
  /** When its files are looked at. Defaults to a timer. */
  repeat?: Repeat;
  /** Milliseconds of any monotonic clock, by which checks are rare. */
  now?: () => number;
}

/**
 * Opens the embedded database and migrates it. Reads have a connection in this thread, writes one in a thread of their own, so
 * that nobody waits for a write but who asked for one.
 *
 * @throws UserError when the file can't be used, is not there and shall not be made, or belongs to a newer version
 */
export async function openSqlite(
  file: string,
  { create = true, repeat, now }: OpenSqliteOptions = {},
): Promise<Storage> {
  if (!create && !existsSync(file)) {
    throw new UserError(
      `There is no database at ${file}. Start the server once, create a workspace, or name another file with --database.`,
    );
  }
  requireRegularFiles(file);
  const putBack = await putLogBack(file);
  const unmake = makeFile(file);
  refuseSecondName(file);
  const exposed = describeExposedFiles(file);
  const files = new DatabaseFiles(file);
  try {
    await prepare(file);
  } catch (error) {
    unmake();
    throw error;
  }
  const reader = openFile(file);
  const known = new KnownDamage(file);
  const dialect = new NodeSqliteDialect(reader, (error) => known.learn(error));
  const db = new Kysely<Tables>({ dialect, plugins: [WANTED_READS] });
  const room = new RoomToGrow();
  const writer = new Kysely<Tables>({ dialect: writerDialect(file, (changedRows) => room.committed(changedRows)) });
  const snapshots = new SqliteSnapshots(file);
  const stopWatching = files.watch(repeat);
  const write = known.watch(room.watch((work) => files.whileInPlace(() => writer.transaction().execute(work))));
  const buckets: BucketMemory = new Map();
  const health = new SqliteHealth({ file, files, known, db, write, room, now });
  return {
    db,
    write,
    stream: (query, holder) => {
      files.check();
      return known.watchRows(snapshots.stream(holder, query(db)));
    },
    empty: (table) => emptyTable(write, table),
    // They wait for the one that writes, where it is decided whose turn it is.
    writers: MOST_BEGUN,
    scratchDisk: {
      folder: dirname(file),
      reserveBytes: LONGEST_WAL_BYTES,
      whenShort: (giveWay) => room.whenShort(giveWay),
    },
    rateLimiter: (clock = Date.now) => new TokenBuckets(clock, buckets),
    lives: new DatabaseLives(),
    messages: undefined,
    ping: () => health.check(),
    notices: [putBack, exposed].filter((notice) => notice !== undefined),
    lost: files.lost,
    close: async () => {
      stopWatching();
      if (files.mustStayOpen) leaveOpen(db, writer);
      else {
        await db.destroy();
        await writer.destroy();
      }
      files.close();
    },
  };
}

/** Keeps connections from being closed until the process has gone, which it does at once when nothing is left to do. */
function leaveOpen(...connections: Kysely<Tables>[]): void {
  if (leftOpen.length === 0) process.once('beforeExit', () => process.exit());
  leftOpen.push(...connections);
}

/** Held here, they are not collected, which would close them. */
const leftOpen: Kysely<Tables>[] = [];

function makeFile(file: string): () => void {
  try {
    return makeDatabaseFile(file);
  } catch (error) {
    throw unusable(file, error);
  }
}

/**
 * SQLite keeps its log, and we our lock, beside the name by which a file is opened: by two names, two would write the same file
 * without knowing of each other.
 */
function refuseSecondName(file: string): void {
  const found = statSync(file);
  if (!found.isFile() || found.nlink <= 1) return;
  throw new UserError(
    `The database file ${file} has ${found.nlink} names (hard links), and whoever opens it by two of them damages it. ` +
      'Remove all but one (`find -samefile` shows them), and start again; for a backup, make a copy.',
  );
}

/** Migrates over a connection of its own, in this thread: there is nobody yet whom that could hold up. */
async function prepare(file: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openFile(file)) });
  try {
    // Beginning takes the lock for writing, so those who open it at once migrate it one after the other.
    await db.transaction().execute((tx) => migrate(tx, { place: file, create: true }));
  } catch (error) {
    throw damage(error, file) ?? error;
  } finally {
    await db.destroy();
  }
}

function openFile(file: string): DatabaseSync {
  try {
    return openConnection(file);
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): UserError {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = `${damage(error, file) === undefined ? 'Name' : 'Restore it from your backup, or name'} another with --database.`;
  return new UserError(`The database file ${file} can't be opened: ${reason}. ${advice}`);
}
