/** What an open connection over TLS takes, measured with 2,000 of them: 73 kB. Without TLS it is 21 kB. */
const CONNECTION_BYTES = 80 * 1_024;

/** The share of a limited memory that connections may take. */
const SHARE = 1 / 6;

/**
 * The most connections that leave the server most of its memory: whoever opens all that it takes, and uses them as far as other bounds let
 * anybody, must not have it ended.
 *
 * @param limit in bytes
 */
export function fitMemory(maxConnections: number, limit: number): number {
  return Math.min(maxConnections, Math.floor((limit * SHARE) / CONNECTION_BYTES));
}

/**
 * A bound on what waits in memory, which takes no more than a share of one that is limited.
 *
 * @param bytes the bound where memory is not limited
 * @param limit in bytes; defaults to that of this process
 */
export function boundInMemory(bytes: number, share: number, limit = memoryLimit()): number {
  return Math.min(bytes, Math.floor(limit * share));
}

/** How much memory this process may have, as a container limits it; in bytes. Infinity where nothing does. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? limit : Infinity;
}
