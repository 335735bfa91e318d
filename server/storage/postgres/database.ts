import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, type Logger, sql, type Transaction } from 'kysely';
import { UserError } from '@branchline/command-line';
import { DatabaseLives } from '../database-lives.ts';
import { connectTimeout } from './connect-timeout.ts';
import { hasCode } from '../../error-code.ts';
import { FullDisk } from './full-disk.ts';
import { HeldCommits } from './held-commits.ts';
import { RefusedWrites } from './refused-writes.ts';
import { describeLaxSettings } from './lax-settings.ts';
import { migrate, MIGRATION_TABLE } from '../migrate.ts';
import { BoundedPostgresDialect, STATEMENT_MS, type TransactionBounds } from './dialect.ts';
import { PostgresHealth } from './health.ts';
import { makeTablesTogether, refuseSecondInstallation, refuseTablesInFront } from './schemas.ts';
import { requireSettings } from './needed-settings.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { SharedBuckets } from './shared-buckets.ts';
import { SharedMessages } from './shared-messages.ts';
import { streamSnapshot } from './snapshot.ts';
import { describeUnwritableScratch } from '../scratch-folder.ts';
import { tellIfLong } from '../tell-if-long.ts';
import { readTlsSettings } from './tls-settings.ts';
import { type SnapshotBounds, Snapshots, SNAPSHOTS_AT_ONCE } from '../snapshots.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { WANTED_READS } from '../wanted-reads.ts';
import { DatabaseUnavailable, Unavailable } from '../transient-errors.ts';

/** The most connections of a process, unless it is told otherwise. */
const CONNECTIONS = 10;
const EXPORT_CONNECTIONS = SNAPSHOTS_AT_ONCE;

/** How long a connection is waited for. */
const CONNECT_MS = 3_000;

/** How much later than PostgreSQL itself we give up: it says why, and keeps the connection. */
const GRACE_MS = 1_000;

/** How long PostgreSQL may take to end a statement that it was asked to end. */
const CANCEL_MS = 1_000;

/** A migration may have to rewrite a table, and waits for another process that does. */
const MIGRATION_MS = 10 * 60_000;

/** How long a transaction that writes may do nothing, and one whose rows somebody reads slowly. */
const IDLE_MS = 10_000;
const EXPORT_IDLE_MS = 60_000;

/** How long emptying a table waits for those who use it; it can be tried again at any time. */
const TRUNCATE_WAIT_MS = 500;

/** How often a transaction is tried that stands in another's way. */
const MAX_ATTEMPTS = 5;

/** The longest pause before the second attempt; before each further one it may be so much longer. */
const PAUSE_MS = 20;

/** "serialization_failure" and "deadlock_detected": the same transaction may succeed when it is tried again. */
const IN_THE_WAY = new Set(['40001', '40P01']);

/** Any number that all versions of this program agree on. */
const MIGRATION_LOCK = 5_140_823_907;

/** How the database may be found, and how long work may take. */
export interface OpenPostgresOptions {
  /** Whether tables may be made where there are none. Defaults to true. */
  create?: boolean;
  /** The longest that a statement may take, in milliseconds. Defaults to 5,000. */
  statementMs?: number;
  /** The longest that a free or new connection is waited for, in milliseconds. Defaults to what the URL says, or else 3,000. */
  connectMs?: number;
  /** How much longer than a statement may take its answer is waited for, in milliseconds. Defaults to 1,000. */
  graceMs?: number;
  /** The longest that the end of a statement that was given up is waited for, in milliseconds. Defaults to 1,000. */
  cancelMs?: number;
  /** Of exports. */
  snapshots?: SnapshotBounds;
  /** The most connections for requests. Defaults to 10. */
  connections?: number;
  /** The most connections for exports, besides, since slow ones must not starve requests. Defaults to 4. */
  exportConnections?: number;
  /** Told what is waited for, as a log line, whenever that has taken a second. Defaults to nobody. */
  onWait?: (line: string) => void;
  /** Milliseconds of any monotonic clock, by which refusals of the database are forgotten. */
  now?: () => number;
}

/**
 * Opens a PostgreSQL database and migrates it. Any number of processes may do so at once. No state of a session is used, so a
 * proxy that pools transactions may stand between.
 *
 * @param given `postgres://user:password@host:port/database`; a secret. Of its parameters `connect_timeout` is read as libpq does.
 * @throws UserError when the database can't be reached or used, or belongs to a newer version or another program
 */
export async function openPostgres(
  given: string,
  {
    create = true,
    statementMs = STATEMENT_MS,
    connectMs = connectTimeout(given) ?? CONNECT_MS,
    graceMs = GRACE_MS,
    cancelMs = CANCEL_MS,
    connections = CONNECTIONS,
    exportConnections = EXPORT_CONNECTIONS,
    onWait = () => {},
    now,
    snapshots: snapshotBounds,
  }: OpenPostgresOptions = {},
): Promise<Storage> {
  const url = await readTlsSettings(given);
  const notices = await prepare(url, { create, connectMs, onWait });
  const disk = new FullDisk();
  const commits = new HeldCommits();
  const refusals = new RefusedWrites(now);
  const waits = { connectMs, answerMs: statementMs + graceMs, cancelMs };
  const places = { url, size: connections, shared: true, ...waits, disk, commits };
  const db = connect(places, { statementMs, idleMs: IDLE_MS });
  // Its snapshots are shared already.
  const exportPlaces = { url, size: exportConnections, ...waits, disk, commits };
  const exports = connect(exportPlaces, { statementMs, idleMs: EXPORT_IDLE_MS });
  const snapshots = new Snapshots({ atOnce: exportConnections, ...snapshotBounds });
  const health = new PostgresHealth(db, { disk, commits, refusals });
  const close = async () => {
    await exports.destroy();
    await db.destroy();
  };
  return {
    db: db.withPlugin(WANTED_READS),
    write: (work) => refusals.watch(transact(db, work)),
    stream: (query, holder) => snapshots.stream(holder, streamSnapshot(exports, query(db))),
    async *empty(table) {
      yield truncate(db, table);
    },
    writers: Math.max(1, Math.floor(connections / 2)),
    scratchDisk: { folder: tmpdir(), reserveBytes: 0, whenShort: () => {} },
    ping: () => health.check(),
    notices: [...notices, describeUnwritableScratch(tmpdir())].filter((notice) => notice !== undefined),
    lost: new Promise(() => {}),
    rateLimiter: (clock) => new SharedBuckets(db, clock, refusals),
    lives: new DatabaseLives(),
    messages: new SharedMessages(db, url),
    close,
    undo: close,
  };
}

function connect(places: PoolOptions, bounds: TransactionBounds, log: Logger = () => {}): Kysely<Tables> {
  const pool = openPool(places);
  return new Kysely<Tables>({ dialect: new BoundedPostgresDialect({ pool }, bounds), log });
}

/**
 * Migrates over a connection of its own, which waits longer than those that serve requests.
 *
 * @returns notices for the operator
 */
async function prepare(
  url: string,
  { create, connectMs, onWait }: Required<Pick<OpenPostgresOptions, 'create' | 'connectMs' | 'onWait'>>,
): Promise<string[]> {
  const place = inWords(url);
  let firstFailure: unknown;
  const bounds = { statementMs: MIGRATION_MS, idleMs: MIGRATION_MS };
  const waits = { connectMs, answerMs: MIGRATION_MS + GRACE_MS, cancelMs: CANCEL_MS };
  const db = connect({ url, size: 1, ...waits, disk: new FullDisk(), commits: new HeldCommits() }, bounds, (event) => {
    if (event.level === 'error') firstFailure ??= event.error;
  });
  try {
    await tellIfLong(
      () => onWait(`waiting for the PostgreSQL database ${place} to answer`),
      () => requireUtf8(db, place),
    );
    await requireSettings(db, place);
    await db.transaction().execute(async (tx) => {
      // The lock ends with the transaction, however that ends; whoever comes second finds everything done.
      await tellIfLong(
        () => onWait(`waiting for another process, which migrates the PostgreSQL database ${place}`),
        () => sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx),
      );
      await tellIfLong(
        () =>
          onWait(
            `migrating the PostgreSQL database ${place}, or waiting for a table there that another session has locked`,
          ),
        async () => {
          await refuseSecondInstallation(tx, place);
          await makeTablesTogether(tx);
          await migrate(tx, { place, create });
        },
      );
    });
    await refuseTablesInFront(db, place);
    return await describeLaxSettings(db, place);
  } catch (error) {
    if (error instanceof UserError && !(error instanceof DatabaseUnavailable)) throw error;
    // What fails after it says only that the transaction has failed.
    const cause = firstFailure ?? error;
    if (hasCode(cause, NO_RIGHT)) throw await explainRights(db, place, cause);
    const reason = cause instanceof DatabaseUnavailable ? cause.message : String(cause);
    throw new UserError(`The PostgreSQL database ${place} can't be used (${reason}). ${advise(cause)}`);
  } finally {
    await db.destroy();
  }
}

/** What to do where the URL is right, by PostgreSQL's code ("invalid_schema_name", "undefined_table", "read_only_sql_transaction"). */
const ADVICE = new Map<unknown, string>([
  [
    '3F000',
    "No schema of the role's search_path is there: make one (create schema), or name another (alter role … set search_path = …).",
  ],
  [
    '42P01',
    "The tables are not where the role's search_path looks: name their schema (alter role … set search_path = …), or restore the database.",
  ],
  [
    '25006',
    'It lets nothing be written: name the primary, where this is its standby, or else set default_transaction_read_only = off.',
  ],
]);

function advise(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return ADVICE.get(code) ?? 'Check --database-url.';
}

/** "insufficient_privilege" */
const NO_RIGHT = '42501';

/** What a start needs that the role may not do, and how it gets it. */
async function explainRights(db: Kysely<Tables>, place: string, { message }: Error): Promise<UserError> {
  const { rows } = await sql<{ role: string; owner: string | null }>`select quote_ident(current_user) as role,
    (select quote_ident(pg_get_userbyid(relowner)) from pg_catalog.pg_class where oid = to_regclass(${sql.lit(MIGRATION_TABLE)})) as owner
  `.execute(db);
  const { role = 'the role', owner = null } = rows[0] ?? {};
  const toDo =
    owner === null
      ? `It must be allowed to create tables; as an administrator of that database: grant usage, create on schema public to ${role};`
      : `The tables there are those of ${owner}: give its name and password in the URL, or as an administrator: grant ${owner} to ${role};`;
  return new UserError(`The role ${role} has too few rights in the PostgreSQL database ${place} (${message}). ${toDo}`);
}

/** Where the database is, without the secret that its URL holds. */
function inWords(url: string): string {
  const { host, pathname } = new URL(url);
  return `"${decodeURIComponent(pathname.slice(1))}" on ${host || 'this machine'}`;
}

async function requireUtf8(db: Kysely<Tables>, place: string): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new UserError(`The PostgreSQL database ${place} has the encoding ${encoding}. Make one with: encoding 'UTF8'.`);
}

/**
 * A statement of a transaction sees all that was committed before it began (read committed). So whatever is decided by what was
 * read is guarded by a unique index, or by the lock of a row that was taken before.
 */
async function transact<Result>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<Result>) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new Unavailable('Other transactions stood in the way.', { cause: error });
      // A while of chance, or the two would meet again.
      await delay(Math.random() * attempt * PAUSE_MS);
    }
  }
}

/** Waits only so long for its lock, since whoever else wants the table waits behind it. */
async function truncate(db: Kysely<Tables>, table: keyof Tables): Promise<void> {
  await transact(db, async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(TRUNCATE_WAIT_MS)}`.execute(tx);
    await sql`truncate ${sql.table(table)}`.execute(tx);
  });
}

function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && IN_THE_WAY.has(error.code);
}
