import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { v7 as uuid } from 'uuid';
import { exitNow, UserError } from '@branchline/command-line';
import { type Administration, openAdministration } from './accounts/administration.ts';
import { type OidcSettings, oidcSettings } from './accounts/oidc/settings.ts';
import { requireAddressSpace } from './address-space.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { Address } from './config-values.ts';
import { hasCode } from './error-code.ts';
import type { Budget } from './inspector/budget.ts';
import type { Readiness } from './http/health.ts';
import { buildMetricsListener } from './http/metrics-listener.ts';
import { Metrics } from './http/metrics.ts';
import { type Log, openLog } from './log.ts';
import { claimDatabase } from './storage/sqlite/claimed-database.ts';
import { explainFailure } from './storage/sqlite/health.ts';
import { resolveLinks } from './storage/sqlite/resolve-links.ts';
import {
  certificateFiles,
  GivenCertificate,
  type GivenCertificateOptions,
  readCertificate,
} from './tls/given-certificate.ts';
import { OwnCertificate } from './tls/own-certificate.ts';
import { limitOf } from './process-limits.ts';
import { endOnStopSignals, waitForStopSignal } from './stop-signals.ts';
import { resolveWebHost, resolveWebOrigin } from './web-host.ts';
import { greet } from './greeting.ts';
import { wholePaths } from './whole-paths.ts';
import { fitMemory, memoryLimit } from './memory-limit.ts';
import { fitConnections, requireOpenFiles } from './open-files.ts';

/**
 * Runs the server until SIGTERM, SIGINT or SIGHUP, or until its database is lost, then drains it. Sets the exit code to 1 when the
 * database was lost or requests had to be cut off.
 *
 * @throws UserError when it can't start: another server has the database, the port is taken,
 * its certificate can't be used, OIDC is set up by half, the working directory is gone and a file is named by a path in it
 */
export async function serve(settings: Config): Promise<void> {
  const config = wholePaths(settings);
  requireOpenFiles(limitOf('open_files'));
  requireAddressSpace(limitOf('virtual_memory_bytes'));
  const letSignalsDrain = endOnStopSignals();
  const metrics = new Metrics();
  const log = openLog(config.logLevel, () => metrics.logLinesDropped.inc());
  const files = certificateFiles(config);
  const given = files && { files, first: await readCertificate(files) };
  const oidc = await oidcSettings(config);
  const onWait = (line: string): void => log.logger.info(line);
  await explainFailure(config.database, async () => {
    // PostgreSQL takes any number of servers.
    const lock = config.databaseUrl === undefined ? await claimDatabase(config.database, onWait) : undefined;
    let isOpen = false;
    try {
      const administration = await openAdministration(config, {
        connections: config.databaseConnections,
        exportConnections: config.exportConnections,
        endWithNewerVersion: true,
        onWait,
      });
      isOpen = true;
      try {
        await serveFrom(administration, config, { given, oidc, letSignalsDrain, metrics, log });
      } finally {
        await administration.storage.close();
      }
    } finally {
      if (isOpen) lock?.release();
      else lock?.undo();
    }
  });
}

/** What a start has read and done before it serves. */
interface Started {
  /** The operator's certificate; undefined: the server makes one. */
  given: Pick<GivenCertificateOptions, 'files' | 'first'> | undefined;
  oidc: OidcSettings | undefined;
  letSignalsDrain: () => void;
  metrics: Metrics;
  log: Log;
}

async function serveFrom(
  administration: Administration,
  config: Config,
  { given, oidc, letSignalsDrain, metrics, log }: Started,
): Promise<void> {
  const readiness: Readiness = { stopping: false };
  const { logger } = log;
  for (const notice of administration.storage.notices) logger.warn(notice);
  let listening: Config | undefined;
  // Once it listens: asking the system for the port takes longer than making a URL, and a list has fifty.
  const whereItListens = (): Config => (listening ??= { ...config, port: findPort(app, config) });
  const app: FastifyInstance = await buildApp({
    administration,
    config: { ...config, maxConnections: boundConnections(config, logger) },
    budget: budgetFrom(config),
    webHost: () => resolveWebHost(whereItListens()),
    webOrigin: () => resolveWebOrigin(whereItListens()),
    oidc,
    certificate:
      given === undefined
        ? ownCertificate(config, logger)
        : new GivenCertificate({ ...given, clock: Date.now, logger }),
    readiness,
    metrics,
    clock: Date.now,
    newId: uuid,
    lastRequestMs: Math.min(LAST_REQUEST_MS, (config.drainTimeout * 1_000) / 2),
    logger,
  });
  const stopSignal = Promise.race([waitForStopSignal(), administration.storage.lost]);
  letSignalsDrain();
  const { metricsAddress } = config;
  const metricsListener = metricsAddress && (await buildMetricsListener(metrics, logger));
  try {
    const origin = await listen(app, config, '--host and --port');
    const metricsOrigin = metricsListener && (await listen(metricsListener, metricsAddress, '--metrics-address'));
    await greet({
      administration,
      config,
      origin,
      metricsOrigin,
      signInOrigin: resolveWebOrigin(whereItListens()),
      logger,
    });

    const signal = await stopSignal;
    if (signal instanceof Error) {
      logger.fatal(signal.message);
      process.exitCode = 1;
    } else logger.info({ signal }, 'stopping');
    readiness.stopping = true;
    if (signal !== 'SIGINT') await delay(config.drainDelay * 1_000);
    await drain(app, config.drainTimeout * 1_000);
  } finally {
    await app.close();
    await metricsListener?.close();
    await log.end();
  }
}

/** Kept beside the embedded database; with PostgreSQL the server has no folder of its own. */
function ownCertificate({ host, database, databaseUrl }: Config, logger: FastifyBaseLogger): OwnCertificate {
  const file = databaseUrl === undefined ? `${resolveLinks(database)}.tls.pem` : undefined;
  return new OwnCertificate({ host, file, clock: Date.now, logger });
}

/** Fewer where the process may not open as many files, without which it could serve nobody, or has not the memory for as many. */
function boundConnections(config: Config, logger: FastifyBaseLogger): number {
  const { maxConnections: wanted } = config;
  const files = limitOf('open_files');
  const memory = memoryLimit();
  const ofFiles = fitConnections(config, files);
  const connections = fitMemory(ofFiles, memory);
  const taken = `at most ${connections} connections are taken at a time, not ${wanted}.`;
  if (connections < ofFiles) {
    const mebibytes = Math.floor(memory / 1_024 ** 2);
    logger.warn(
      `This process may have ${mebibytes} MiB of memory, a sixth of it for connections, so ${taken} Raise that limit, or give ` +
        `--max-connections ${connections}.`,
    );
  } else if (connections < wanted) {
    logger.warn(
      `This process may have ${files} files open, so ${taken} Raise that limit (ulimit -n), or give ` +
        `--max-connections ${connections}.`,
    );
  }
  return connections;
}

function budgetFrom(config: Config): Budget {
  return {
    appVersions: config.appVersionLimit,
    eventNames: config.eventNameLimit,
    shapes: config.workspaceShapeLimit,
    properties: config.propertyLimit,
    bytes: config.schemaMegabytes * 1024 ** 2,
  };
}

/** Where the settings leave the port open, the one that was free. */
function findPort(app: FastifyInstance, { port }: Config): number {
  const [address] = app.addresses();
  return typeof address === 'object' ? address.port : port;
}

/** Connections that wait to be accepted; past it clients try again after a second and more. Linux bounds it by `somaxconn`. */
const CONNECTIONS_TO_ACCEPT = 4_096;

/**
 * Listens on one address. Of `localhost` Fastify would make a second server for its other address, without what makes this one
 * what it is: its bounds, and TLS.
 *
 * @param flags which settings name the address
 */
async function listen(app: FastifyInstance, { host, port }: Address, flags: string): Promise<string> {
  try {
    const address = isIP(host) === 0 ? (await lookup(host, { order: 'ipv4first' })).address : host;
    return await app.listen({
      host: address,
      port,
      backlog: CONNECTIONS_TO_ACCEPT,
      listenTextResolver: (where) => `listening on ${where}`,
    });
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new UserError(
        `Port ${port} of ${host} is in use. Stop what uses it, or name another address with ${flags}.`,
      );
    }
    if (isSystemError(error)) {
      throw new UserError(
        `The server can't listen on port ${port} of ${host} (${error.code}). Name another address with ${flags}.`,
      );
    }
    throw error;
  }
}

/** Whether the system refused a call, whatever the reason. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** How long a client's connection may stay without a request before a stop closes it. */
const LAST_REQUEST_MS = 1_000;

/** How long all may take that is closed once nothing is under way any more, or what was has been cut off. */
const CLOSE_MS = 1_000;

/**
 * Lets the requests under way, and a step of the maintenance, end. What takes longer than the bound is cut off, and the process
 * ends soon after that whatever still hangs: a database that stands still, say. What was answered is stored by then.
 */
async function drain(app: FastifyInstance, boundMs: number): Promise<void> {
  const bound = setTimeout(() => {
    process.exitCode = 1;
    app.server.closeAllConnections();
  }, boundMs);
  setTimeout(() => exitNow(), boundMs + CLOSE_MS).unref();
  await app.close();
  clearTimeout(bound);
}
