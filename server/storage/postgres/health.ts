import { type Kysely, sql } from 'kysely';
import { workFor } from '../holder.ts';
import { readEachTable } from '../table-reads.ts';
import { type FullDisk, tryToGrow } from './full-disk.ts';
import { type HeldCommits, tryToCommit } from './held-commits.ts';
import type { RefusedWrites } from './refused-writes.ts';
import type { Tables } from '../tables.ts';

/** How long a check may take. */
const CHECK_MS = 2_000;

/** A session that ends each statement sooner, in milliseconds, serves nobody, though a statement ends in time now and then. */
const LEAST_STATEMENT_MS = 100;

/** No workspace: however many requests there are, there is a connection left to ask with. */
const HOLDER = '#readiness';

/** What is known of a database from what failed on its connections. */
export interface DatabaseFaults {
  disk: FullDisk;
  commits: HeldCommits;
  refusals: RefusedWrites;
}

/** Whether a PostgreSQL database can be read, and takes writes. */
export class PostgresHealth {
  readonly #db: Kysely<Tables>;
  readonly #disk: FullDisk;
  readonly #commits: HeldCommits;
  readonly #refusals: RefusedWrites;
  #underWay: Promise<void> | undefined;

  constructor(db: Kysely<Tables>, { disk, commits, refusals }: DatabaseFaults) {
    this.#db = db;
    this.#disk = disk;
    this.#commits = commits;
    this.#refusals = refusals;
  }

  /**
   * Those who ask at once share one check, and so one connection: while the database stands still, asking must not take the
   * connections from requests that could still be served.
   *
   * @throws Error that says what is wrong
   */
  check(): Promise<void> {
    this.#underWay ??= workFor(HOLDER, () => this.#look()).finally(() => (this.#underWay = undefined));
    return within(CHECK_MS, this.#underWay);
  }

  /** A lock on a table, or a disk that hangs, is met by reading the tables themselves only. */
  async #look(): Promise<void> {
    this.#refusals.check();
    await this.#db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(CHECK_MS)}`.execute(tx);
      await readEachTable(['rate_limits']).execute(tx);
      // Fails in a transaction that is read-only, so that its connection is given up: others may have been made since.
      await sql`select 1 from rate_limits where workspace_id = '' limit 1 for update`.execute(tx);
      await requireTime(tx);
    });
    await this.#disk.requireRoom(() => tryToGrow(this.#db, CHECK_MS));
    await this.#commits.requireCommits(() => tryToCommit(this.#db));
  }
}

/** Reads are in no transaction, so that they have the time that the role or the database gives them. */
async function requireTime(tx: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ reset_val: string }>`
    select reset_val from pg_catalog.pg_settings where name = 'statement_timeout'`.execute(tx);
  const milliseconds = Number(rows[0]?.reset_val);
  if (milliseconds === 0 || milliseconds >= LEAST_STATEMENT_MS) return;
  throw new Error(
    `PostgreSQL ends each statement after ${milliseconds} ms: the role or the database has a statement_timeout of its own. Reset it.`,
  );
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`The database did not answer within ${milliseconds} ms.`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
