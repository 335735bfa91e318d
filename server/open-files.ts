import { UserError } from '@branchline/command-line';
import { FILE_BYTES } from './branches/export-backlog.ts';
import type { Config } from './config.ts';
import { MAX_METRICS_CONNECTIONS } from './http/metrics-listener.ts';

/** What the server opens besides: its database, threads, listeners and pages take some 70. */
const OWN_FILES = 100;

/** Of a low limit, the share that clients get. */
const LEAST_SHARE = 1 / 3;

const MEBIBYTE = 1_024 ** 2;

/** With fewer a server takes connections, and has no files left to store anything. */
const LEAST_FILES = 64;

type Opening = Pick<
  Config,
  'maxConnections' | 'exportSpool' | 'databaseUrl' | 'databaseConnections' | 'exportConnections' | 'metricsAddress'
>;

/**
 * The most connections of clients that leave the server the files that it needs itself. A third of a low limit is for clients in
 * any case.
 *
 * @param limit how many files the process may have open
 */
export function fitConnections(config: Opening, limit: number): number {
  const ofExports = Math.ceil((config.exportSpool * MEBIBYTE) / FILE_BYTES);
  const ofDatabase = config.databaseUrl === undefined ? 0 : config.databaseConnections + config.exportConnections;
  const ofMetrics = config.metricsAddress === undefined ? 0 : MAX_METRICS_CONNECTIONS;
  const room = limit - OWN_FILES - ofExports - ofDatabase - ofMetrics;
  return Math.min(config.maxConnections, Math.max(room, Math.ceil(limit * LEAST_SHARE)));
}

/** @throws UserError when a server can't work with so few files */
export function requireOpenFiles(limit: number): void {
  if (limit >= LEAST_FILES) return;
  throw new UserError(
    `This process may have ${limit} files open, and a server needs at least ${LEAST_FILES}: raise that limit (ulimit -n), and start again.`,
  );
}
