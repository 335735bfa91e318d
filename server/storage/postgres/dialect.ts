import {
  CompiledQuery,
  type Driver,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';

/** The longest that one statement may take, unless another bound is given; in milliseconds. */
export const STATEMENT_MS = 5_000;

/** How long PostgreSQL lets a transaction go on; in milliseconds. */
export interface TransactionBounds {
  /** The longest that one statement may take, with what it waits for. */
  statementMs: number;
  /** The longest that a transaction may wait for its next statement: a client that hangs must not hold locks for ever. */
  idleMs: number;
}

/**
 * Kysely's PostgreSQL dialect, without any state of the session, so that each transaction may run on another connection of a
 * pooling proxy. Bounds are set within each transaction, in the same round trip that begins it.
 */
export class BoundedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #bounds: TransactionBounds;

  constructor(config: PostgresDialectConfig, bounds: TransactionBounds) {
    super(config);
    this.#config = config;
    this.#bounds = bounds;
  }

  override createDriver(): Driver {
    return new BoundedDriver(this.#config, this.#bounds);
  }

  override createAdapter(): PostgresAdapter {
    return new OuterLockAdapter();
  }
}

/** As Kysely's driver makes it. */
type PostgresConnection = Parameters<PostgresDriver['rollbackTransaction']>[0];

class BoundedDriver extends PostgresDriver {
  readonly #bounds: TransactionBounds;

  constructor(config: PostgresDialectConfig, bounds: TransactionBounds) {
    super(config);
    this.#bounds = bounds;
  }

  override async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel = 'read committed', accessMode }: TransactionSettings,
  ): Promise<void> {
    const { statementMs, idleMs } = this.#bounds;
    const begin = `begin isolation level ${isolationLevel} ${accessMode ?? ''}`;
    const bounds = `set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${idleMs}`;
    try {
      await connection.executeQuery(CompiledQuery.raw(`${begin}; ${bounds}`));
    } catch (error) {
      // It may have begun, and Kysely ends only what it knows to have. A connection on which that fails is closed.
      await this.rollbackTransaction(connection).catch(() => {});
      throw error;
    }
  }
}

/** Kysely's own lock for migrations is the session's. Ours is the transaction's, which is taken before ({@link lockForMigration}). */
class OuterLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
