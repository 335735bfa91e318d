import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { WANTED_READS } from '../wanted-reads.ts';
import { DatabaseLives } from '../database-lives.ts';
import { Checkpoints } from './checkpoints.ts';
import { DatabaseFiles, type Repeat } from './database-files.ts';
import { NodeSqliteDialect } from './dialect.ts';
import { emptyTable } from './empty-table.ts';
import { describeExposedFiles } from './exposed-files.ts';
import { SqliteHealth } from './health.ts';
import { makeFile, migrateFile, openFile } from './prepared-file.ts';
import { RoomToGrow } from './room-to-grow.ts';
import { SqliteSnapshots } from './snapshot.ts';
import { type BucketMemory, TokenBuckets } from './token-buckets.ts';
import { KnownDamage } from './known-damage.ts';
import { describeUnsafeFileSystem } from './unsafe-file-system.ts';
import { LONGEST_WAL_BYTES } from './wal.ts';
import { writerDialect } from './writer.ts';

/** How many transactions are begun at once of what is committed in groups. */
const MOST_BEGUN = 64;

/** How the file may be found. */
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
 * @throws UserError when the file can't be used, is not there and shall not be made, or belongs to a newer version or another program
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
  const { putBack, unmake } = await makeFile(file);
  const exposed = describeExposedFiles(file);
  const files = new DatabaseFiles(file);
  const reader = await migrateAndOpen(file, unmake);
  const clock = now ?? (() => performance.now());
  const known = new KnownDamage({ file, now: clock });
  const dialect = new NodeSqliteDialect(reader, (error) => known.learn(error));
  const db = new Kysely<Tables>({ dialect, plugins: [WANTED_READS] });
  const room = new RoomToGrow();
  const checkpoints = new Checkpoints(file);
  let committedAt = Number.NEGATIVE_INFINITY;
  const committed = async (changedRows: number) => {
    committedAt = clock();
    const frames = await files.checkCommitted();
    room.committed(changedRows);
    await checkpoints.committed(frames);
  };
  const writer = new Kysely<Tables>({ dialect: writerDialect(file, committed) });
  const snapshots = new SqliteSnapshots(file);
  const stopWatching = files.watch(repeat);
  const writeWhereRoom: Storage['write'] = async (work) => {
    checkpoints.checkRoom();
    return writer.transaction().execute(work);
  };
  const write = known.watch(room.watch((work) => files.whileInPlace(() => writeWhereRoom(work))));
  const buckets: BucketMemory = new Map();
  const health = new SqliteHealth({
    file,
    files,
    known,
    checkpoints,
    db,
    write,
    room,
    committedAt: () => committedAt,
    now: clock,
  });
  const close = async () => {
    stopWatching();
    snapshots.close();
    if (files.mustStayOpen) leaveOpen(db, writer);
    else {
      await db.destroy();
      // Kysely closes none that was never asked anything.
      if (reader.isOpen) reader.close();
      await writer.destroy();
      await checkpoints.close();
    }
    files.close();
  };
  return {
    db,
    write,
    stream: (query, holder) => {
      files.check();
      return known.watchRows(snapshots.stream(holder, query(db)));
    },
    empty: (table) => emptyTable(write, table),
    restAfterWrite: (holder) => snapshots.restAfterWrite(holder),
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
    notices: [putBack, exposed, describeUnsafeFileSystem(file)].filter((notice) => notice !== undefined),
    lost: files.lost,
    close,
    undo: async () => {
      await close();
      unmake();
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

async function migrateAndOpen(file: string, unmake: () => void): Promise<DatabaseSync> {
  try {
    await migrateFile(file);
    return openFile(file);
  } catch (error) {
    unmake();
    throw error;
  }
}
