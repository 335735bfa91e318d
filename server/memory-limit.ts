/** What an open connection over TLS takes, measured with 2,000 of them: 73 kB. Without TLS it is 21 kB. */
const CONNECTION_BYTES = 80 * 1_024;

/** The share of a limited memory that connections may take. */
const SHARE = 1 / 2;

/**
 * The most connections that leave the server half of its memory: whoever opens all that it takes must not have it ended.
 *
 * @param limit in bytes
 */
export function fitMemory(maxConnections: number, limit: number): number {
  return Math.min(maxConnections, Math.floor((limit * SHARE) / CONNECTION_BYTES));
}

/** How much memory this process may have, as a container limits it; in bytes. Infinity where nothing does. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? limit : Infinity;
}
