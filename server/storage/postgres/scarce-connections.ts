import type pg from 'pg';
import { hasCode } from '../../error-code.ts';

/** "too_many_connections": of the server, the database or the role. */
const TOO_MANY = '53300';

/** For how long a pool makes do with what it has, in milliseconds, before it asks for more again. */
const SCARCE_MS = 10_000;

interface ScarceOptions {
  /** The most connections that the pool is to have. */
  size: number;
  /** How long a connection is waited for, in milliseconds. */
  connectMs: number;
}

/**
 * Takes a connection of a pool that may get fewer than it is to have: where a further one is refused, those that there are become
 * free sooner or later, and are waited for as where all of them are in use.
 *
 * @throws what `connect` does; that there are too many connections only where the pool has none
 */
export async function connectWithFew(pool: pg.Pool, { size, connectMs }: ScarceOptions): Promise<pg.PoolClient> {
  const began = performance.now();
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const isScarce = hasCode(error, TOO_MANY) && pool.totalCount > 0;
      if (!isScarce || performance.now() - began > connectMs) throw error;
      // Those that are being made may be refused, too, so that it may take some tries until the pool has no more than there are.
      pool.options.max = pool.totalCount;
      setTimeout(() => (pool.options.max = size), SCARCE_MS).unref();
    }
  }
}
